#include "plan/resolve.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "plan/codec.h"
#include "plan/golden_for_tests.h"
#include "plan/scene_for_tests.h"

namespace paddock {
namespace {

// One key or entry a line where that helps a difference to be read.
std::string lines_of(const std::string& json) {
  std::string text;
  for (std::size_t at = 0; at < json.size(); ++at) {
    text += json[at];
    const std::string_view rest = std::string_view(json).substr(at);
    if (rest.starts_with("[{") || rest.starts_with("],") || rest.starts_with("},{")) text += rest.starts_with("}") ? ",\n  " : rest.starts_with("[") ? "\n  " : ",\n";
    if (rest.starts_with("},{") || rest.starts_with("],")) ++at;
  }
  return text + "\n";
}

const Mount* mount_at(const Plan& plan, std::string_view target) {
  const auto found = std::ranges::find(plan.mounts, target, &Mount::target);
  return found == plan.mounts.end() ? nullptr : &*found;
}

TEST(Resolve, PlansAreAsInTheGoldenFiles) {
  for (const NamedScene& scene : all_scenes()) {
    expect_golden("plan_" + scene.name + ".json", lines_of(write_plan(scene.make().plan().value())));
  }
}

TEST(Resolve, TheSameQuestionHasTheSameAnswer) {
  for (const NamedScene& scene : all_scenes()) EXPECT_EQ(scene.make().plan().value(), scene.make().plan().value());
}

TEST(Resolve, OfHomeOnlyWhatWasAskedForIsVisible) {
  for (const NamedScene& scene : all_scenes()) {
    const Plan plan = scene.make().plan().value();
    if (plan.mounts.front().target == "/") continue;  // world_view_test.cc
    const Mount* home = mount_at(plan, "/home/u");
    ASSERT_NE(home, nullptr);
    EXPECT_EQ(home->kind, MountKind::temporary) << scene.name;
    EXPECT_EQ(mount_at(plan, "/home/u/.ssh") != nullptr, scene.name == "dev_rules") << scene.name;
  }
}

TEST(Resolve, NoVariableOfTheHostIsThereUnlessNamedOrListed) {
  for (const NamedScene& scene : all_scenes()) {
    const Plan plan = scene.make().plan().value();
    for (const Variable& variable : plan.environment) {
      EXPECT_NE(variable.name, "LD_PRELOAD");
      EXPECT_EQ(variable.value.find("secret"), std::string::npos) << variable.name;
      EXPECT_TRUE(variable.source == ValueSource::literal || variable.value.empty()) << variable.name;
    }
    const bool has_token = std::ranges::find(plan.environment, "GITHUB_TOKEN", &Variable::name) != plan.environment.end();
    EXPECT_EQ(has_token, scene.name == "dev_rules");
  }
}

TEST(Resolve, AProtectionShowsNothingThatIsHidden) {
  Scene linked = project_scene("balanced");
  linked.host.link("/home/u/p/.vscode", "/home/u/.ssh").link("/home/u/p/.envrc", "../.ssh/id_ed25519");
  Scene named = project_scene("balanced");
  named.input.policy.filesystem.protect = {{"~/.ssh", "", false, flag("--protect")}};
  for (Scene* scene : {&linked, &named}) {
    const Plan plan = scene->plan().value();
    for (const Mount& mount : plan.mounts) EXPECT_EQ(mount.source.find(".ssh"), std::string::npos) << mount.target;
  }
}

TEST(Resolve, TheRepositoryOfALinkedWorktreeIsThereInEveryGitMode) {
  for (const GitMode mode : {GitMode::protected_parts, GitMode::real}) {
    Scene scene = worktree_scene();
    scene.input.policy.git.state(mode, flag("x"));
    const Plan plan = scene.plan().value();
    const Mount* repository = mount_at(plan, "/home/u/main/.git");
    ASSERT_NE(repository, nullptr);
    EXPECT_EQ(repository->access, MountAccess::read_write);
  }
}

TEST(Resolve, SkipPermissionsGoesInUnlessTheUserKeepsTheAgentsOwnChecks) {
  Scene scene = agent_scene();
  const auto has_skip = [](const Plan& plan) { return std::ranges::find(plan.command, "--skip-permissions") != plan.command.end(); };
  EXPECT_TRUE(has_skip(scene.plan().value()));
  scene.input.policy.permissions.state(Permissions::ask, flag("--permissions"));
  EXPECT_FALSE(has_skip(scene.plan().value()));
}

TEST(Resolve, TheHomeDirectoryIsNoWorkspaceUnlessNamed) {
  Scene scene = plain_scene("balanced");
  scene.input.directory = "/home/u";
  EXPECT_FALSE(scene.plan().ok());
  scene.input.workspace = "/home/u";
  const Plan plan = scene.plan().value();
  EXPECT_EQ(plan.workspace, "/home/u");
  EXPECT_NE(std::ranges::find(plan.relaxations, "grant_home", &Relaxation::name), plan.relaxations.end());
}

TEST(Resolve, AnAgentThatIsNotInstalledSaysSo) {
  Scene scene = agent_scene();
  scene.harness.bins = {"no-such-agent"};
  const Result<Plan> plan = scene.plan();
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.failure().code, ErrorCode::not_found);
}

TEST(Resolve, WithoutACommandThePlanHasNone) {
  Scene scene = plain_scene("balanced");
  scene.input.command = {};
  EXPECT_TRUE(scene.plan().value().command.empty());
}

}  // namespace
}  // namespace paddock
