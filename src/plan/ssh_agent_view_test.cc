#include "plan/ssh_agent_view.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "plan/literal_host.h"
#include "plan/scene_for_tests.h"
#include "plan/socket_view.h"

namespace paddock {
namespace {

constexpr const char* agent_socket = "/tmp/ssh-x/agent.1";

SshAgentInput with(std::string socket) { return {{{"SSH_AUTH_SOCK", std::move(socket)}}, "/home/u", "/home/u/p", flag("--ssh-agent")}; }

LiteralHost machine() {
  LiteralHost host;
  host.directory("/home/u/p").file("/home/u/.ssh/known_hosts").file("/home/u/.ssh/id_ed25519", 1000, 0600).listening(agent_socket);
  return host;
}

std::string failure(const LiteralHost& host, const SshAgentInput& input) {
  MountTable table;
  const auto claimed = claim_ssh_agent(table, host, input);
  if (claimed.ok()) return "(no error)";
  EXPECT_EQ(claimed.failure().code, ErrorCode::cannot_start);
  EXPECT_FALSE(claimed.failure().hint.empty());
  return claimed.failure().message;
}

TEST(SshAgent, OnlyItsSocketAndTheKnownHostsAreShown) {
  const LiteralHost host = machine();
  MountTable table;
  EXPECT_EQ(claim_ssh_agent(table, host, with(agent_socket)).value().relaxation.name, "ssh_agent");
  EXPECT_TRUE(table.is_visible(agent_socket));
  EXPECT_FALSE(table.is_visible("/tmp/ssh-x"));
  EXPECT_TRUE(table.is_visible("/home/u/.ssh/known_hosts"));
  EXPECT_FALSE(table.is_writable("/home/u/.ssh/known_hosts"));
  EXPECT_FALSE(table.is_visible("/home/u/.ssh/id_ed25519"));
}

TEST(SshAgent, ALinkToItIsMadeAgainInside) {
  LiteralHost host = machine();
  host.link("/home/u/.ssh/agent.sock", agent_socket).link("/home/u/dots", "/home/u/.ssh");
  MountTable table;
  ASSERT_TRUE(claim_ssh_agent(table, host, with("/home/u/.ssh/agent.sock")).ok());
  EXPECT_EQ(table.at("/home/u/.ssh/agent.sock")->mount.kind, MountKind::link);
  EXPECT_TRUE(table.is_visible(agent_socket));
}

TEST(SshAgent, IsRefusedWithTheReasonWhereThereIsNone) {
  LiteralHost host = machine();
  host.file("/tmp/file").listening("/tmp/others", 1001).link("/home/u/p/link", agent_socket);
  HostFile left;
  left.kind = FileKind::socket;
  left.owner = 1000;
  host.put("/tmp/left", left);
  EXPECT_EQ(failure(host, {{}, "/home/u", "/home/u/p", flag("--ssh-agent")}), "--ssh-agent: SSH_AUTH_SOCK is not set, so there is no agent to let in");
  EXPECT_EQ(failure(host, with("")), "--ssh-agent: SSH_AUTH_SOCK is not set, so there is no agent to let in");
  EXPECT_EQ(failure(host, with("agent")), "--ssh-agent: SSH_AUTH_SOCK is agent, which is no absolute path");
  EXPECT_EQ(failure(host, with("/tmp/absent\x1b")), "--ssh-agent: SSH_AUTH_SOCK names /tmp/absent\\x1b, which does not exist: that agent has ended");
  EXPECT_EQ(failure(host, with("/tmp/file")), "--ssh-agent: SSH_AUTH_SOCK names /tmp/file, which is no socket");
  EXPECT_EQ(failure(host, with("/tmp/others")), "--ssh-agent: SSH_AUTH_SOCK names /tmp/others, another user's socket");
  EXPECT_EQ(failure(host, with("/tmp/left")), "--ssh-agent: SSH_AUTH_SOCK names /tmp/left, where nobody answers: that agent has ended");
  EXPECT_EQ(failure(host, with("/home/u/p/link")), "--ssh-agent: SSH_AUTH_SOCK names /home/u/p/link, a link in the workspace that leads to /tmp/ssh-x/agent.1");
}

TEST(SshAgent, WithoutLeaveAGrantAroundItDoesNotShowIt) {
  const LiteralHost host = machine();
  for (const bool is_named : {false, true}) {
    MountTable table;
    std::vector<GrantedPath> granted{{"/tmp", FileKind::directory, MountAccess::read_write, flag("--rw")}};
    table.show("/tmp", host.look("/tmp"), MountAccess::read_write, Strength::writable, "granted", flag("--rw"));
    if (is_named) granted.push_back({agent_socket, FileKind::socket, MountAccess::read_write, flag("--rw")});
    hide_ssh_agent(table, host, with(agent_socket), granted);
    EXPECT_EQ(table.is_visible(agent_socket), is_named);
  }
}

TEST(SshAgent, AWholePlanWithoutItHasNeitherTheSocketNorTheVariable) {
  Scene scene = plain_scene("dev");
  scene.host.listening("/run/user/1000/agent");
  const Plan without = scene.plan().value();
  for (const Variable& variable : without.environment) EXPECT_NE(variable.name, "SSH_AUTH_SOCK");
  for (const Mount& mount : without.mounts) EXPECT_EQ(mount.target.find("agent"), std::string::npos);
  scene.input.policy.ssh_agent.state(true, flag("--ssh-agent"));
  const Plan plan = scene.plan().value();
  EXPECT_NE(std::ranges::find(plan.environment, "SSH_AUTH_SOCK", &Variable::name), plan.environment.end());
  EXPECT_NE(std::ranges::find(plan.relaxations, "ssh_agent", &Relaxation::name), plan.relaxations.end());
  scene.host.remove("/run/user/1000/agent");
  EXPECT_FALSE(scene.plan().ok());
}

TEST(SocketsInReach, AreThoseThatListenBelowWhatIsShown) {
  LiteralHost host;
  host.listening("/home/u/p/.overmind.sock").listening("/home/u/p/hidden.sock").listening("/run/docker.sock").listening("/home/u/data/s").directory("/home/u/p/sub");
  MountTable table;
  for (const char* place : {"/home/u/p", "/home/u/data/s"}) table.show(place, host.look(place), MountAccess::read_only, Strength::read_only, "granted", flag("--ro"));
  Claim mask;
  mask.strength = Strength::mask;
  mask.mount.kind = MountKind::mask_file;
  mask.mount.target = "/home/u/p/hidden.sock";
  table.claim(mask);
  const std::vector<GrantedPath> granted{{"/home/u/p", FileKind::directory, MountAccess::read_only, flag("--ro")}};
  const auto found = sockets_in_reach(table, host, {"/home/u/p"}, granted);
  ASSERT_EQ(found.size(), 1u) << "not the masked one, the one out of sight, the one granted by its own path";
  EXPECT_EQ(found[0].name, "grant_dbus_socket");
  EXPECT_EQ(found[0].origin, flag("--ro"));
}

TEST(SocketsInReach, ARelativeNameIsLookedForWhereItMayLie) {
  LiteralHost host;
  host.listening("/home/u/p/s");
  host.listening("./s");  // as the kernel tells of one that was bound by a relative name
  MountTable table;
  table.show("/home/u/p", host.look("/home/u/p"), MountAccess::read_only, Strength::read_only, "workspace", {});
  EXPECT_EQ(sockets_in_reach(table, host, {"/home/u/p"}, {}).size(), 1u) << "one socket by two names is one";
}

TEST(SocketsInReach, HaveAMaximum) {
  LiteralHost host;
  for (int i = 0; i < 20; ++i) host.listening("/home/u/p/s" + std::to_string(i));
  MountTable table;
  table.show("/home/u/p", host.look("/home/u/p"), MountAccess::read_only, Strength::read_only, "workspace", {});
  EXPECT_EQ(sockets_in_reach(table, host, {}, {}).size(), told_sockets_max);
}

}  // namespace
}  // namespace paddock
