// A small machine, a project on it and what is asked for, in words of its own: scenes that the tests of
// plans, explanations and backends share. Each is whole in itself; a test changes what it is about.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/catalogue.h"
#include "plan/literal_host.h"
#include "plan/resolve.h"
#include "policy/profile.h"

namespace paddock {

struct Scene {
  LiteralHost host;
  Manifest harness = generic_harness();
  ResolveInput input;

  Result<Plan> plan() {
    input.harness = &harness;
    return resolve(input, host);
  }
};

inline Origin flag(std::string where) { return {OriginKind::flag, std::move(where)}; }

// Debian, a user "u" with keys, tools below home, and ~/p, which is no repository.
inline Scene plain_scene(std::string_view profile) {
  Scene scene;
  scene.host.directory("/usr/bin", 0).file("/usr/bin/make", 0, 0755).file("/bin/sh", 0, 0755).remove("/bin");
  scene.host.link("/bin", "usr/bin", 0).link("/lib64", "usr/lib64", 0).directory("/usr/lib64", 0).file("/usr/bin/sh", 0, 0755);
  scene.host.directory("/etc/alternatives", 0).directory("/etc/ssl/private", 0).file("/etc/ssl/certs/ca-certificates.crt", 0);
  scene.host.directory("/run/resolver", 0).file("/run/resolver/resolv.conf", 0).link("/etc/resolv.conf", "../run/resolver/resolv.conf", 0);
  scene.host.directory("/proc/sys", 0).directory("/proc/irq", 0).directory("/proc/bus", 0).file("/proc/sysrq-trigger", 0).directory("/proc/acpi", 0);
  scene.host.directory("/home/u/.local/state/paddock/etc/view").directory("/home/u/.local/tools/bin").file("/home/u/.local/tools/bin/tool", 1000, 0755);
  scene.host.file("/home/u/.ssh/id_ed25519", 1000, 0600).file("/home/u/.bashrc").directory("/home/u/p/src").file("/home/u/p/.env").file("/home/u/p/Makefile");
  scene.host.set_toolchain_roots({"/home/u/.local/tools"}).set_identity({{"user.name", "A \"Person\""}, {"user.email", "p@example.invalid"}});
  scene.input.policy = load_profile(profile, {}).value();
  scene.input.profile = profile;
  scene.input.command = {"make", "test"};
  scene.input.directory = "/home/u/p/src";
  scene.input.environment = {{"PATH", "/home/u/.local/tools/bin:/usr/bin:/bin:/nowhere"}, {"HOME", "/home/u"}, {"TERM", "xterm"}, {"LANG", "C.UTF-8"},
                             {"GITHUB_TOKEN", "secret-of-the-host"}, {"SSH_AUTH_SOCK", "/run/user/1000/agent"}, {"LD_PRELOAD", "/x.so"}};
  scene.input.state_directory = "/home/u/.local/state/paddock";
  scene.input.cache_directory = "/home/u/.cache/paddock/tools";
  scene.input.data_directory = "/home/u/.local/share/paddock";
  return scene;
}

inline GitLayout repository_at(const std::string& root) {
  GitLayout layout;
  layout.kind = GitKind::directory;
  layout.root = root;
  layout.dot_git = layout.git_dir = layout.common_dir = root + "/.git";
  return layout;
}

// The same with a repository around ~/p.
inline Scene project_scene(std::string_view profile) {
  Scene scene = plain_scene(profile);
  scene.host.file("/home/u/p/.git/config").file("/home/u/p/.git/HEAD").file("/home/u/p/.git/hooks/pre-commit").directory("/home/u/p/.git/info");
  scene.host.file("/home/u/p/.claude/settings.json").set_layout("/home/u/p", repository_at("/home/u/p"));
  return scene;
}

// Everything that flags can ask for at once.
inline Scene scene_with_rules() {
  Scene scene = project_scene("dev");
  scene.host.file("/home/u/p/secrets/a").file("/home/u/p/deploy/run.sh").directory("/home/u/data").directory("/home/u/.cache/paddock/tools");
  scene.host.listening("/run/user/1000/agent");
  FilesystemPolicy& files = scene.input.policy.filesystem;
  files.mask = {{"secrets/**", "", false, flag("--mask")}, {".env", "", false, flag("--mask")}, {"absent", "", false, flag("--mask")}};
  files.protect = {{"deploy/", "", false, flag("--protect")}, {".vscode", "", true, flag("--protect")}};
  files.read = {{"~/.ssh", "/home/u/p/src", false, flag("--ro")}};
  files.write = {{"/home/u/data", "/home/u/p/src", false, flag("--rw")}};
  scene.input.policy.variables = {{"GIVEN", "secret-given", flag("--env")}, {"GITHUB_TOKEN", {}, flag("--env")}};
  scene.input.policy.ssh_agent.state(true, flag("--ssh-agent"));
  scene.input.policy.limits.memory_bytes.state(std::uint64_t{8} << 30, flag("--memory"));
  scene.input.policy.limits.wall_time_ms.state(90'000, flag("--timeout"));
  scene.input.policy.without = {{"calls_filtered", flag("--without")}};
  return scene;
}

// A linked worktree whose repository lies elsewhere, read-only.
inline Scene worktree_scene() {
  Scene scene = plain_scene("strict");
  scene.host.file("/home/u/p/.git").file("/home/u/main/.git/config").file("/home/u/main/.git/HEAD").file("/home/u/main/.git/index");
  scene.host.file("/home/u/main/.git/worktrees/p/gitdir").file("/home/u/main/.git/worktrees/p/commondir").directory("/home/u/main/.git/worktrees/other");
  GitLayout layout = repository_at("/home/u/p");
  layout.kind = GitKind::linked_worktree;
  layout.common_dir = "/home/u/main/.git";
  layout.git_dir = "/home/u/main/.git/worktrees/p";
  layout.worktree_dirs = {"/home/u/main/.git/worktrees/other", "/home/u/main/.git/worktrees/p"};
  scene.host.set_layout("/home/u/p", layout);
  return scene;
}

// One of each thing that a manifest can say.
inline Manifest agent_manifest() {
  Manifest agent;
  agent.id = "agent";
  agent.display = "Agent";
  agent.bins = {"agent"};
  agent.hosted_model = true;
  agent.skip_permissions = {{{"--skip-permissions"}, {}, {}, {}, {}, {}}};
  agent.environment_set = {{"AGENT_UPDATES", "off"}};
  agent.environment_pass = {"AGENT_API_KEY"};
  StatePath state;
  state.path = "~/.agent";
  state.override = "AGENT_HOME";
  state.exported = true;
  state.code = {{"settings.json", false, true, "{}", {}}, {"hooks", true, true, {}, {}}, {"notes.md", false, false, {}, {}}, {"shells", true, false, {}, CodeInside::private_directory}};
  state.data = {"log"};
  StatePath cache;
  cache.path = "~/.cache/agent";
  cache.state_class = StateClass::cache;
  agent.state = {state, cache};
  agent.seeds = {{"{state}/first.json", "{\"seen\":true}", "~/.agent.json"}};
  return agent;
}

// Real root starts an agent that keeps state in its home.
inline Scene agent_scene() {
  Scene scene = project_scene("balanced");
  HostUser root = scene.host.user();
  root.uid = root.gid = 0;
  root.name = "root";
  root.real_root = true;
  scene.host.set_user(root).file("/home/u/.agent/log", 0).file("/home/u/.agent/settings.json", 0).directory("/home/u/.agent/shells", 0);
  scene.host.file("/opt/agent/agent", 0, 0755).link("/usr/bin/agent", "/opt/agent/agent", 0);
  scene.harness = agent_manifest();
  scene.input.command = {"-p", "a prompt"};
  scene.input.environment["AGENT_API_KEY"] = "secret-of-the-agent";
  return scene;
}

// The whole host in view, with a masked place, another writable tree, and programs' sockets here and there.
inline Scene host_world_scene() {
  Scene scene = project_scene("strict");
  scene.host.directory("/", 0).directory("/tmp", 0, 01777).directory("/var/tmp", 0, 01777).link("/var/run", "/run", 0).directory("/scratch").directory("/home/u/data");
  scene.host.socket("/run/docker.sock", 0).socket("/var/lib/db/db.sock", 0).socket("/home/u/p/server.sock").socket("/tmp/x.sock").directory("/sys", 0).directory("/dev", 0).directory("/proc", 0);
  FilesystemPolicy& files = scene.input.policy.filesystem;
  files.world.state(World::host, flag("world"));
  files.mask = {{"/home/u/.ssh", "", false, flag("--mask")}, {"/home/u/absent", "", false, flag("--mask")}};
  files.write = {{"/home/u/data", "/", false, flag("--rw")}};
  scene.input.environment["TMPDIR"] = "/scratch";
  return scene;
}

struct NamedScene {
  std::string name;
  Scene (*make)();
};

inline const std::vector<NamedScene>& all_scenes() {
  static const std::vector<NamedScene> scenes{{"balanced_project", [] { return project_scene("balanced"); }},
                                              {"strict_plain", [] { return plain_scene("strict"); }},
                                              {"dev_rules", scene_with_rules},
                                              {"worktree", worktree_scene},
                                              {"root_agent", agent_scene},
                                              {"host_world", host_world_scene}};
  return scenes;
}

}  // namespace paddock
