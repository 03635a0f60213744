#include "cli/preflight_key.h"

#include <gtest/gtest.h>

namespace paddock {
namespace {

Mount bound(std::string target, std::string reason) {
  Mount mount;
  mount.target = mount.source = std::move(target);
  mount.reason = std::move(reason);
  return mount;
}

Plan plan_in(const std::string& workspace) {
  Plan plan;
  plan.workspace = workspace;
  plan.directory = workspace + "/src";
  plan.mounts = {bound("/usr", "system"), bound(workspace, "workspace"), bound(workspace + "/.git/hooks", "protected: .git/hooks"), bound("/home/u/.agent", "state of Agent")};
  plan.environment = {{"PATH", ValueSource::literal, "/usr/bin", {}}, {"TERM", ValueSource::literal, workspace, {}}, {"KEY", ValueSource::host, {}, {}}};
  return plan;
}

TEST(SandboxKind, IsTheSameInEveryProject) { EXPECT_EQ(sandbox_kind(plan_in("/home/u/a")), sandbox_kind(plan_in("/home/u/b"))); }

TEST(SandboxKind, IsAnotherWithAnotherViewOfTheSystem) {
  const std::string before = sandbox_kind(plan_in("/w"));
  Plan plan = plan_in("/w");
  plan.mounts.pop_back();
  EXPECT_NE(sandbox_kind(plan), before);
  plan = plan_in("/w");
  plan.mounts[0].access = MountAccess::read_write;
  EXPECT_NE(sandbox_kind(plan), before);
  plan = plan_in("/w");
  plan.network = NetworkMode::on;
  EXPECT_NE(sandbox_kind(plan), before);
  plan = plan_in("/w");
  plan.environment[0].value = "/opt/bin";
  EXPECT_NE(sandbox_kind(plan), before);
  plan = plan_in("/w");
  plan.environment.pop_back();
  EXPECT_NE(sandbox_kind(plan), before);
}

}  // namespace
}  // namespace paddock
