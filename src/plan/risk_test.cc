#include "plan/risk.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "plan/literal_host.h"
#include "plan/mount_table.h"
#include "plan/protected_list.h"
#include "plan/scene_for_tests.h"

namespace paddock {
namespace {

using Words = std::vector<std::string>;

RiskInput person() { return {"/home/u", "/home/u/p", "/home/u/tools/bin:/usr/bin:relative:/home/u/p/.venv/bin", {"/home/u/.config/paddock"}, false}; }

GrantedPath grant(std::string path, MountAccess access = MountAccess::read_only, FileKind kind = FileKind::directory) { return {std::move(path), kind, access, flag("--ro")}; }

Words names(const std::vector<Relaxation>& relaxations) {
  Words all;
  for (const Relaxation& relaxation : relaxations) all.push_back(relaxation.name);
  return all;
}

TEST(Risks, AllThatAGrantOpensAreNamed) {
  LiteralHost host;
  host.file("/home/u/.ssh/id", 1000, 0600).directory("/home/u/.aws").directory("/home/u/.kube").file("/home/u/.netrc");
  const std::vector<Relaxation> home = risks_of(grant("/home/u"), person(), host);
  EXPECT_EQ(names(home), (Words{"grant_home", "grant_ssh_keys", "grant_cloud_credentials", "grant_forge_credentials"}));
  EXPECT_EQ(home[2].reason, "/home/u holds your AWS credentials, your Kubernetes credentials");
  EXPECT_EQ(names(risks_of(grant("/"), person(), host)), (Words{"grant_root", "grant_home", "grant_ssh_keys", "grant_cloud_credentials", "grant_forge_credentials"}));
  EXPECT_EQ(names(risks_of(grant("/run"), person(), host)), (Words{"grant_system_directory", "grant_runtime_directory"}));
  EXPECT_EQ(names(risks_of(grant("/home/u/p"), person(), host)), Words{});
}

TEST(Risks, WhatIsNamedItselfIsARiskWhetherItIsThereOrNot) {
  const LiteralHost host;
  EXPECT_EQ(names(risks_of(grant("/home/u/.ssh"), person(), host)), Words{"grant_ssh_keys"});
  EXPECT_EQ(names(risks_of(grant("/home/u/.ssh/config"), person(), host)), Words{"grant_ssh_keys"});
  EXPECT_EQ(names(risks_of(grant("/home/u/.config"), person(), host)), Words{}) << "nothing of the kind is in it";
}

TEST(Risks, TheHostsToolCachesAreOnesWhenTheyCanBeWritten) {
  LiteralHost host;
  host.directory("/home/u/.npm").directory("/home/u/.cache/pip");
  EXPECT_EQ(names(risks_of(grant("/home/u/.npm/_cacache", MountAccess::read_write), person(), host)), Words{"grant_tool_cache"});
  EXPECT_EQ(risks_of(grant("/home/u/.cache", MountAccess::read_write), person(), host).at(0).reason, "/home/u/.cache holds pip's cache");
  EXPECT_EQ(names(risks_of(grant("/home/u/.npm"), person(), host)), Words{});
}

TEST(Risks, SocketsByWhatTheyDo) {
  const LiteralHost host;
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"/run/docker.sock", "grant_container_socket"},
      {"/run/user/1000/podman/podman.sock", "grant_container_socket"},
      {"/var/lib/lxd/unix.socket", "grant_container_socket"},
      {"/run/user/1000/bus", "grant_dbus_socket"},
      {"/run/dbus/system_bus_socket", "grant_dbus_socket"},
      {"/run/user/1000/systemd/private", "grant_dbus_socket"},
      {"/tmp/ssh-abc/agent.12", "grant_agent_socket"},
      {"/run/user/1000/gnupg/S.gpg-agent.ssh", "grant_agent_socket"},
      {"/home/u/.ssh/agent/s.1", "grant_agent_socket"},
      {"/tmp/tmux-1000/default", "grant_terminal_socket"},
      {"/tmp/.X11-unix/X0", "grant_display_socket"},
      {"/home/u/p/.overmind.sock", "grant_dbus_socket"},
      {"/home/u/p/server.sock", "grant_socket"},
  };
  for (const auto& [path, name] : cases) EXPECT_EQ(names(risks_of(grant(std::string(path), MountAccess::read_write, FileKind::socket), person(), host)), Words{std::string(name)}) << path;
}

// THREATS 21, as a table of places: written directly each is refused; whatever lies around them stays protected.
TEST(Refusal, OfEveryPlaceThatRunsOutside) {
  LiteralHost host;
  host.directory("/home/u/tools/bin");
  std::vector<std::string> places = {"/home/u/tools/bin", "/home/u/.config/paddock", "/home/u/.config/paddock/x", "/etc", "/usr/local/bin", "/boot", "/var/spool/cron", "/", "/var"};
  for (const ProtectedName& name : protected_in_home()) {
    places.push_back("/home/u/" + std::string(name.path));
    places.push_back("/home/u/" + std::string(name.path) + "/below");
  }
  for (const std::string& place : places) {
    EXPECT_NE(refusal_of(grant(place, MountAccess::read_write), person(), host), "") << place;
    if (place.find("paddock") == std::string::npos) {
      EXPECT_EQ(refusal_of(grant(place), person(), host), "") << place;
    }
  }
  EXPECT_NE(refusal_of(grant("/home/u/tools/bin/tool", MountAccess::read_write, FileKind::file), person(), host), "") << "a program on PATH";
  for (const char* place : {"/home/u/p", "/home/u/data", "/home/u", "/srv/data", "/tmp", "/home/u/tools", "/home/u/tools/bin/below"}) {
    EXPECT_EQ(refusal_of(grant(place, MountAccess::read_write), person(), host), "") << place;
  }
}

TEST(Refusal, APathEntryBehindALinkIsOneToo) {
  LiteralHost host;
  host.directory("/home/u/real/bin").link("/home/u/tools/bin", "/home/u/real/bin");
  EXPECT_NE(refusal_of(grant("/home/u/real/bin", MountAccess::read_write), person(), host), "");
}

TEST(Refusal, WithTheProtectionGivenUpByNameEachIsARelaxationInstead) {
  LiteralHost host;
  host.directory("/home/u/tools/bin").file("/home/u/.bashrc").directory("/home/u/.config/systemd");
  RiskInput open = person();
  open.plants_allowed = true;
  EXPECT_EQ(refusal_of(grant("/home/u/.bashrc", MountAccess::read_write, FileKind::file), open, host), "");
  EXPECT_EQ(names(risks_of(grant("/home/u/.bashrc", MountAccess::read_write, FileKind::file), open, host)), Words{"grant_startup_code"});
  const auto home = risks_of(grant("/home/u", MountAccess::read_write), open, host);
  EXPECT_EQ(names(home), (Words{"grant_home", "grant_path_entry", "grant_startup_code"}));
  EXPECT_NE(home[2].reason.find("~/.config/systemd"), std::string::npos);
  EXPECT_EQ(home[2].reason.find("~/.zshrc"), std::string::npos) << "only what is there";
  EXPECT_NE(refusal_of(grant("/home/u/.config/paddock", MountAccess::read_write), open, host), "") << "Paddock's own never";
}

TEST(Refusal, TheProjectsOwnProgramsOnPathAreToldOf) {
  LiteralHost host;
  host.directory("/home/u/p/.venv/bin");
  EXPECT_EQ(names(risks_of(grant("/home/u/p", MountAccess::read_write), person(), host)), Words{"grant_path_entry"});
  EXPECT_EQ(names(risks_of(grant("/home/u/p"), person(), host)), Words{}) << "not when it is read-only";
}

// Whatever is granted writable, nothing of the list that is there can be written, or the plan is refused.
TEST(Plants, NoGrantMakesThemWritable) {
  Scene scene = plain_scene("balanced");
  Words places;
  for (const ProtectedName& name : protected_in_home()) {
    const std::string place = "/home/u/" + std::string(name.path);
    name.is_directory ? scene.host.directory(place) : scene.host.file(place);
    places.push_back(place);
  }
  places.push_back("/home/u/.local/tools/bin");  // on PATH
  for (const char* granted : {"/home/u", "/home", "/home/u/.config", "/home/u/.local", "/home/u/.cargo", "/home/u/.claude", "/home/u/.gradle"}) {
    scene.input.policy.filesystem.write = {{granted, "", false, flag("--rw")}};
    const Result<Plan> plan = scene.plan();
    ASSERT_TRUE(plan.ok()) << granted << ": " << plan.failure().message;
    MountTable table;
    for (const Mount& mount : plan->mounts) table.claim({mount, Strength::protect, false, false});
    for (const std::string& place : places) EXPECT_FALSE(table.is_writable(place)) << granted << " makes " << place << " writable";
  }
}

}  // namespace
}  // namespace paddock
