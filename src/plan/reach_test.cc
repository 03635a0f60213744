#include "plan/reach.h"

#include <gtest/gtest.h>

#include "plan/scene_for_tests.h"

namespace paddock {
namespace {

TEST(Reach, IsWhereTheUserMayWriteAndTheSandboxToo) {
  Scene scene = project_scene("balanced");
  scene.host.file("/home/u/p/tool", 0, 0755).file("/home/u/p/.claude/x", 1000);
  const Plan plan = scene.plan().value();
  EXPECT_TRUE(can_be_replaced(plan, scene.host, "/home/u/p/tool"));  // in a directory of the user's
  EXPECT_FALSE(can_be_replaced(plan, scene.host, "/home/u/p/.claude/settings.json"));
  EXPECT_FALSE(can_be_replaced(plan, scene.host, "/usr/bin/make"));
  EXPECT_FALSE(can_be_replaced(plan, scene.host, "/home/u/.bashrc"));
  EXPECT_TRUE(is_visible_inside(plan, "/usr/bin/make"));
  EXPECT_FALSE(is_visible_inside(plan, "/home/u/.bashrc"));
}

TEST(Reach, OfAMachineThatIsGrantedEndsAtOtherPeoplesFiles) {
  Scene scene = host_world_scene();
  scene.host.directory("/usr", 0).file("/usr/bin/make", 0, 0755);
  scene.input.policy.filesystem.write = {{"/", "/", false, flag("--rw")}};
  scene.input.policy.without = {{"protect_existing", flag("--without")}, {"protect_absent", flag("--without")}};
  Plan plan = scene.plan().value();
  EXPECT_FALSE(can_be_replaced(plan, scene.host, "/usr/bin/make"));
  EXPECT_TRUE(can_be_replaced(plan, scene.host, "/home/u/.bashrc"));
  plan.user.real_root = true;
  EXPECT_TRUE(can_be_replaced(plan, scene.host, "/usr/bin/make"));
  EXPECT_FALSE(is_visible_inside(plan, "/home/u/.local/state/paddock/wrap"));
}

}  // namespace
}  // namespace paddock
