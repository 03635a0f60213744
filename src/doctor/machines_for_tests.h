// Machines as literal facts: a healthy one, and each way of being broken as a change of it.
#pragma once

#include <cerrno>

#include "doctor/check.h"

namespace paddock::doctor {

inline BackendFacts bubblewrap_that_holds_all() {
  BackendFacts backend;
  backend.name = "bubblewrap";
  backend.report.available = true;
  backend.report.program = "/usr/bin/bwrap";
  backend.report.version = "0.8.0";
  backend.report.landlock_abi = 7;
  for (const Guarantee guarantee : all_guarantees()) {
    if (guarantee != Guarantee::limit_memory) backend.report.held.push_back(guarantee);
  }
  backend.report.missing = {{"limit_memory", "no cgroup", "leave --memory out"}};
  return backend;
}

inline BackendFacts bubblewrap_that_fails(std::string why, std::string fix) {
  BackendFacts backend;
  backend.name = "bubblewrap";
  backend.report.program = "/usr/bin/bwrap";
  backend.report.missing = backend.unmet = {{"start", std::move(why), std::move(fix)}};
  return backend;
}

inline BackendFacts of_a_later_version(std::string name) {
  BackendFacts backend;
  backend.name = std::move(name);
  backend.is_part = false;
  backend.report.missing = backend.unmet = {{"start", "it is not part of this version", ""}};
  return backend;
}

inline DirectoryFacts directory_at(std::string role, std::string path) {
  DirectoryFacts directory;
  directory.role = std::move(role);
  directory.path = directory.asked = std::move(path);
  directory.exists = true;
  directory.owner = 1000;
  directory.mode = 0700;
  directory.file_system = "ext4";
  directory.bytes_free = std::uint64_t{20} << 30;
  directory.files_free = 1'000'000;
  directory.counts_files = true;
  return directory;
}

// An ordinary user on Debian, in a repository of their own, on a terminal.
inline Facts healthy() {
  Facts facts;
  facts.uid = 1000;
  facts.settings.distribution = {DistributionFamily::debian, "debian", "Debian GNU/Linux 12 (bookworm)", "12"};
  facts.settings.sysctls = {{"user.max_user_namespaces", "96364"}, {"user.max_net_namespaces", "96364"}};
  facts.kernel = {"6.12.9-amd64", 7, 0, true, true, true, true};
  facts.namespaces = {0, {{"cgroup", 0}, {"ipc", 0}, {"mnt", 0}, {"net", 0}, {"pid", 0}, {"uts", 0}}};
  facts.config_file = "/home/u/.config/paddock/config.toml";
  facts.backends = {bubblewrap_that_holds_all(), of_a_later_version("docker")};
  HarnessFacts claude;
  claude.id = "claude";
  claude.display = "Claude Code";
  claude.program.found = "/usr/bin/claude";
  claude.program.real = "/usr/lib/claude/cli.js";
  claude.version_heard = Heard::yes;
  claude.version = "2.1.197";
  claude.flags_heard = Heard::yes;
  claude.login_files = {"/home/u/.claude/.credentials.json"};
  claude.visible = {{"/home/u/.claude", "rw"}};
  facts.harnesses = {claude};
  facts.git.program = "/usr/bin/git";
  facts.git.said = "git version 2.39.5\n";
  facts.git.layout.kind = GitKind::directory;
  facts.git.layout.root = "/home/u/project";
  facts.git.name = "A Person";
  facts.git.email = "person@example.org";
  facts.terminal = {true, "xterm-256color", true, 40, 120, "C.UTF-8", "", "", ""};
  facts.directories = {directory_at("state", "/home/u/.local/state/paddock"), directory_at("config", "/home/u/.config/paddock"), directory_at("data", "/home/u/.local/share/paddock"),
                       directory_at("cache", "/home/u/.cache/paddock"), directory_at("runtime", "/run/user/1000/paddock")};
  facts.network.bundles = {"/etc/ssl/certs/ca-certificates.crt"};
  facts.network.resolver = "/etc/resolv.conf";
  facts.network.name_servers = {"192.0.2.53"};
  facts.install.program = "/usr/local/bin/paddock";
  facts.install.version = "1.2.3";
  facts.install.warden = "/usr/local/lib/paddock/paddock-warden";
  facts.install.has_warden = true;
  facts.install.warden_said = "paddock-warden 1.2.3\n";
  return facts;
}

}  // namespace paddock::doctor
