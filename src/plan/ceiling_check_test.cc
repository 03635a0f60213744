#include "plan/ceiling_check.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "plan/scene_for_tests.h"
#include "policy/ceiling_load.h"

namespace paddock {
namespace {

Ceiling ceiling_of(std::string_view toml) { return read_ceiling(toml, "C", {{"calls_filtered"}, {}}).value(); }

std::string failure(Scene& scene, std::string_view toml) {
  const Ceiling ceiling = ceiling_of(toml);
  scene.input.ceiling = &ceiling;
  const auto plan = scene.plan();
  scene.input.ceiling = nullptr;
  return plan.ok() ? "" : plan.failure().message;
}

void grant(Scene& scene, std::vector<PathRule> FilesystemPolicy::*list, const std::string& path) {
  (scene.input.policy.filesystem.*list).push_back({path, "/", false, flag("--grant")});
}

TEST(CeilingCheck, AGrantIsJudgedByWhereItLeads) {
  Scene scene = plain_scene("balanced");
  scene.host.file("/srv/data/x").file("/srv/secret/x").link("/srv/data/way", "/srv/secret").link("/allowed", "/srv/data");
  grant(scene, &FilesystemPolicy::read, "/srv/data");
  EXPECT_EQ(failure(scene, "[filesystem]\nread = [\"/allowed\"]"), "");  // the ceiling's own words may be links
  EXPECT_EQ(failure(scene, "[filesystem]\nread = [\"/srv/data/x\"]"), "--grant: /srv/data is outside of what may be read by the ceiling of this machine (C:2)");
  grant(scene, &FilesystemPolicy::read, "/srv/data/way");
  EXPECT_EQ(failure(scene, "[filesystem]\nread = [\"/srv/data\"]"), "--grant: /srv/secret is outside of what may be read by the ceiling of this machine (C:2)");
  EXPECT_EQ(failure(scene, "[filesystem]\nmask = [\"/srv/secret\"]"), "--grant: /srv/secret is hidden by the ceiling of this machine (C:2)");
}

TEST(CeilingCheck, WritableGrantsNeedAWritablePlace) {
  Scene scene = plain_scene("balanced");
  scene.host.directory("/srv/out");
  grant(scene, &FilesystemPolicy::write, "/srv/out");
  EXPECT_EQ(failure(scene, "[filesystem]\nread = [\"/srv\"]\nwrite = []"), "--grant: /srv/out is outside of what may be written by the ceiling of this machine (C:3)");
  EXPECT_EQ(failure(scene, "[filesystem]\nread = []\nwrite = [\"/srv\"]"), "");
  EXPECT_EQ(failure(scene, "[filesystem]\nprotect = [\"/srv/out\"]"), "--grant: /srv/out is protected by the ceiling of this machine (C:2)");
}

TEST(CeilingCheck, TheWorkspaceLiesInAListedPlaceAndInNoHiddenOne) {
  Scene scene = plain_scene("balanced");
  EXPECT_EQ(failure(scene, "[ceiling]\nworkspaces = [\"~/\"]"), "");
  EXPECT_EQ(failure(scene, "[ceiling]\nworkspaces = [\"/srv\"]"), "/home/u/p/src is outside of what may be a workspace by the ceiling of this machine (C:2)");
  EXPECT_EQ(failure(scene, "[filesystem]\nmask = [\"~/p/**\"]"), "/home/u/p/src is hidden by the ceiling of this machine (C:2)");
  EXPECT_EQ(failure(scene, "[filesystem]\nprotect = [\"**/p\"]"), "/home/u/p/src is protected by the ceiling of this machine (C:2)");
  scene.input.policy.filesystem.workspace.state(WorkspaceAccess::read_only, {});
  EXPECT_EQ(failure(scene, "[filesystem]\nprotect = [\"**/p\"]"), "");
}

TEST(CeilingCheck, AHarnessOfTheUsersOwnIsHeldToTheListsAndAShippedOneIsNot) {
  constexpr std::string_view lists = "[filesystem]\nread = []\nwrite = []\n[environment]\npass = [\"PATH\"]";
  Scene scene = agent_scene();
  scene.harness.origin = "share/harnesses/agent.toml";
  EXPECT_EQ(failure(scene, lists), "");
  EXPECT_EQ(breaches(scene.plan().value(), scene.harness, ceiling_of(lists)), std::vector<Breach>());
  scene.harness.origin = "/home/u/.config/paddock/harnesses/agent.toml";
  EXPECT_NE(failure(scene, lists), "");
  std::vector<std::string> keys;
  for (const Breach& one : breaches(scene.plan().value(), scene.harness, ceiling_of(lists))) keys.push_back(one.key + " " + one.asked);
  EXPECT_EQ(keys, (std::vector<std::string>{"environment AGENT_API_KEY", "environment AGENT_HOME", "environment AGENT_UPDATES"}));
}

TEST(CeilingCheck, ForbiddenRelaxationsOfAPlanAreBreaches) {
  Scene scene = scene_with_rules();
  std::vector<std::string> names;
  for (const Breach& one : breaches(scene.plan().value(), scene.harness, ceiling_of("[ceiling]\nforbid = [\"grant_*\", \"without_*\", \"unprotected\", \"ssh_agent\"]"))) names.push_back(one.key);
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"grant_ssh_keys", "ssh_agent", "unprotected", "without_calls_filtered"}));
}

// Paddock's own directories are hidden wherever a sandbox could write them, also those that are not there yet.
TEST(OwnDirectories, AnAbsentOneInAWritableTreeIsMadeAndThenHidden) {
  Scene scene = plain_scene("balanced");
  scene.input.own_directories = {"/home/u/data/paddock"};
  scene.host.directory("/home/u/data");
  grant(scene, &FilesystemPolicy::write, "/home/u/data");
  const Plan first = scene.plan().value();
  ASSERT_FALSE(first.seeds.empty());
  EXPECT_EQ(first.seeds.back().path, "/home/u/data/paddock");
  scene.host.directory("/home/u/data/paddock");
  const Plan second = scene.plan().value();
  const auto hidden = std::ranges::find(second.mounts, std::string("/home/u/data/paddock"), &Mount::target);
  ASSERT_NE(hidden, second.mounts.end());
  EXPECT_EQ(hidden->kind, MountKind::mask_directory);
}

}  // namespace
}  // namespace paddock
