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

TEST(Resolve, ToTheKernelRootsPayloadIsNotRootUnlessThatIsGivenUp) {
  Scene scene = agent_scene();
  scene.host.directory("/proc/pressure", 0);
  const auto has_relaxation = [](const Plan& plan, std::string_view name) { return std::ranges::find(plan.relaxations, name, &Relaxation::name) != plan.relaxations.end(); };
  const Plan usual = scene.plan().value();
  EXPECT_TRUE(drops_kernel_uid(usual.user));
  EXPECT_TRUE(holds(usual.required, Guarantee::kernel_uid_unprivileged));
  EXPECT_FALSE(has_relaxation(usual, "root_files"));
  EXPECT_EQ(mount_at(usual, "/proc/acpi"), nullptr);  // nothing inside could write it
  EXPECT_NE(mount_at(usual, "/proc/pressure"), nullptr);

  scene.input.policy.without = {{"kernel_uid_unprivileged", flag("--without")}};
  const Plan given_up = scene.plan().value();
  EXPECT_FALSE(drops_kernel_uid(given_up.user));
  EXPECT_FALSE(holds(given_up.required, Guarantee::kernel_uid_unprivileged));
  EXPECT_TRUE(has_relaxation(given_up, "root_files"));
  EXPECT_TRUE(has_relaxation(given_up, "without_kernel_uid_unprivileged"));
  EXPECT_NE(mount_at(given_up, "/proc/acpi"), nullptr);

  Scene ordinary = project_scene("balanced");
  ordinary.input.policy.without = scene.input.policy.without;
  const Plan plan = ordinary.plan().value();
  EXPECT_FALSE(has_relaxation(plan, "root_files") || plan.user.kernel_root || drops_kernel_uid(plan.user));
}

TEST(Resolve, GrantsAreSeenAsTheirOwnerSeesThemAndTheSystemAsOthersDo) {
  const Plan plan = agent_scene().plan().value();
  for (const char* system : {"/usr", "/etc", "/etc/ssl", "/etc/resolv.conf", "/proc/sys"}) {
    ASSERT_NE(mount_at(plan, system), nullptr) << system;
    EXPECT_EQ(mount_at(plan, system)->seen_as, SeenAs::others) << system;
  }
  for (const char* grant : {"/home/u/p", "/home/u/p/.git", "/home/u/p/.git/hooks", "/home/u/.agent", "/home/u/.local/tools"}) {
    ASSERT_NE(mount_at(plan, grant), nullptr) << grant;
    EXPECT_EQ(mount_at(plan, grant)->seen_as, SeenAs::owner) << grant;
  }
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
