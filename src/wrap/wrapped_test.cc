#include "wrap/wrapped.h"

#include <gtest/gtest.h>

#include "plan/scene_for_tests.h"
#include "wrap/policy.h"

namespace paddock {
namespace {

WrapRequest a_request() {
  WrapRequest request;
  request.cwd = request.workspace_root = "/home/u/p";
  request.writable_roots = {"/home/u/data"};
  request.mode = WrapMode::workspace_write;
  request.mask_paths = {"/home/u/.ssh"};
  request.environment = {{"TOKEN", "SECRET\n\"\xff"}, {"A", ""}};
  return request;
}

// The machine of host_world_scene() with a wrapped command's plan.
struct WrappedScene {
  Scene scene = host_world_scene();
  WrapRequest request = a_request();
  Policy settings;

  Plan plan() {
    scene.input.policy = policy_of(request, settings);
    scene.input.workspace = request.workspace_root;
    scene.input.directory = request.cwd;
    scene.input.masked = request.mask_paths;
    scene.input.only_named = true;
    return scene.plan().value();
  }
  Wrapped wrapped() {
    Wrapped all;
    all.request = request;
    all.environment = plan_environment(scene.input.environment);
    all.uid = 1000;
    record_plan(all, plan());
    return all;
  }
};

bool everything_is_there(const std::string&) { return true; }
bool nothing_is_there(const std::string&) { return false; }

std::string lost(const Wrapped& wrapped, const Plan& plan) {
  const auto kept = check_kept(wrapped, plan, everything_is_there);
  return kept.ok() ? std::string() : kept.failure().message;
}

bool holds_word(const std::string& text, std::string_view word) { return text.find(word) != std::string::npos; }

TEST(Wrapped, ComesBackAsItWasWritten) {
  const Wrapped wrapped = WrappedScene().wrapped();
  const auto again = read_wrapped(write_wrapped(wrapped));
  ASSERT_TRUE(again.ok()) << again.failure().message;
  EXPECT_EQ(*again, wrapped);
  EXPECT_EQ(write_wrapped(*again), write_wrapped(wrapped));
}

TEST(Wrapped, IsRefusedWhenItIsAnothersOrCutShort) {
  const std::string text = write_wrapped(WrappedScene().wrapped());
  for (std::size_t length = 0; length < text.size(); length += 7) EXPECT_FALSE(read_wrapped(text.substr(0, length)).ok());
  std::string other = text;
  other.replace(other.find("wrapped/1"), 9, "wrapped/2");
  EXPECT_FALSE(read_wrapped(other).ok());
  for (const char* wrong : {"{}", "[]", "null", R"({"schema":"paddock.wrapped/1"})", R"({"schema":"paddock.wrapped/1","request":[],"environment":{},"uid":-1,"roots":[1],"hidden":[1],"guarantees":["x"]})"}) {
    EXPECT_FALSE(read_wrapped(wrong).ok()) << wrong;
  }
}

TEST(Wrapped, KeepsOfTheHostsEnvironmentWhatAPlanIsMadeFrom) {
  const auto kept = plan_environment({{"PATH", "/bin"}, {"LC_TIME", "C"}, {"GITHUB_TOKEN", "SECRET"}, {"MY_PATH", "x"}, {"SSH_AUTH_SOCK", "/x"}, {"TMPDIR", "/t"}});
  EXPECT_EQ(kept, (std::map<std::string, std::string>{{"LC_TIME", "C"}, {"PATH", "/bin"}, {"TMPDIR", "/t"}}));
}

TEST(Wrapped, HoldsAnUnchangedMachine) {
  WrappedScene scene;
  const Wrapped wrapped = scene.wrapped();
  EXPECT_EQ(wrapped.hidden, (std::vector<std::string>{"/home/u/.ssh"}));
  EXPECT_EQ(lost(wrapped, scene.plan()), "");
  // What appears inside a writable tree, with its pins and protections, widens nothing.
  scene.scene.host.directory("/home/u/p/.vscode").socket("/home/u/p/new.sock").file("/home/u/p/.git/config.worktree");
  EXPECT_EQ(lost(wrapped, scene.plan()), "");
}

TEST(Wrapped, RefusesAnotherPlaceUnderARootsName) {
  WrappedScene scene;
  const Wrapped wrapped = scene.wrapped();
  scene.scene.host.remove("/home/u/data").directory("/home/u/data");
  EXPECT_TRUE(holds_word(lost(wrapped, scene.plan()), "/home/u/data is another"));
  scene.scene.host.remove("/home/u/data").directory("/srv/other").link("/home/u/data", "/srv/other");
  EXPECT_TRUE(holds_word(lost(wrapped, scene.plan()), "/srv/other would be writable"));
}

TEST(Wrapped, RefusesAMaskThatIsGoneWhileItsPathIsNot) {
  WrappedScene scene;
  scene.scene.host.link("/home/u/p/link", "/home/u/.ssh");
  scene.request.mask_paths = {"/home/u/p/link"};
  const Wrapped wrapped = scene.wrapped();
  scene.scene.host.remove("/home/u/p/link").link("/home/u/p/link", "/home/u/p/src");
  const Plan plan = scene.plan();
  EXPECT_TRUE(holds_word(lost(wrapped, plan), "/home/u/.ssh was hidden"));
  EXPECT_TRUE(check_kept(wrapped, plan, nothing_is_there).ok());
}

TEST(Wrapped, RefusesLessThanItPromised) {
  WrappedScene scene;
  const Wrapped wrapped = scene.wrapped();
  Plan plan = scene.plan();
  std::erase(plan.required, Guarantee::protect_existing);
  EXPECT_TRUE(holds_word(lost(wrapped, plan), "protect_existing"));
  plan = scene.plan();
  plan.network = NetworkMode::on;
  EXPECT_TRUE(holds_word(lost(wrapped, plan), "network"));
}

TEST(WrapPolicy, WritesOnlyWhatTheRequestNames) {
  WrappedScene scene;
  const auto writable = [&] {
    std::vector<std::string> all;
    Wrapped wrapped = scene.wrapped();
    for (const WrappedRoot& root : wrapped.roots) all.push_back(root.path);
    return all;
  };
  EXPECT_EQ(writable(), (std::vector<std::string>{"/home/u/data", "/home/u/p"}));
  scene.request.mode = WrapMode::read_only;
  EXPECT_EQ(writable(), std::vector<std::string>());
  scene.request.temp = Temp::host;
  EXPECT_EQ(writable(), (std::vector<std::string>{"/scratch", "/tmp", "/var/tmp"}));
}

TEST(WrapPolicy, TakesOfTheSettingsWhatTightens) {
  Policy settings;
  settings.filesystem.mask = {{"/home/u/x", "", false, {}}};
  settings.filesystem.protect = {{"deploy/", "", false, {}}, {".git/config", "", true, {}}};
  settings.filesystem.write = {{"/home/u/w", "/", false, {}}};
  settings.filesystem.read = {{"/home/u/r", "/", false, {}}};
  settings.without = {{"calls_filtered", {}}};
  settings.required = {{"abstract_hidden", {}}};
  settings.variables = {{"LEAK", "x", {}}};
  settings.ssh_agent.state(true, {});
  settings.limits.processes.state(9, {});
  settings.network.state(NetworkMode::on, {});
  const Policy policy = policy_of(a_request(), settings);
  EXPECT_EQ(policy.filesystem.mask, settings.filesystem.mask);
  EXPECT_EQ(policy.filesystem.protect.size(), 1u);
  EXPECT_EQ(policy.filesystem.write.size(), 1u);
  EXPECT_TRUE(policy.filesystem.read.empty() && policy.without.empty() && !policy.ssh_agent.value);
  EXPECT_EQ(policy.required, settings.required);
  EXPECT_EQ(policy.limits, settings.limits);
  EXPECT_EQ(policy.network.value, NetworkMode::off);
  EXPECT_EQ(policy.variables.size(), 2u);
}

TEST(WrapPolicy, FollowsNoRepositoryOutOfTheWorkspace) {
  WrappedScene scene;
  scene.scene = worktree_scene();
  scene.scene.host.directory("/", 0).directory("/tmp", 0).directory("/home/u/data");
  Wrapped wrapped = scene.wrapped();
  std::vector<std::string> roots;
  for (const WrappedRoot& root : wrapped.roots) roots.push_back(root.path);
  EXPECT_EQ(roots, (std::vector<std::string>{"/home/u/data", "/home/u/p"}));
  EXPECT_FALSE(scene.plan().notes.empty());
}

}  // namespace
}  // namespace paddock
