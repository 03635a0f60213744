// Tightening at the level of what a sandbox shows: whatever a repository's file says, no file of the host
// comes into view and none becomes writable.
#include <set>

#include <gtest/gtest.h>

#include "base/path.h"
#include "plan/scene_for_tests.h"
#include "policy/random_policy_for_tests.h"
#include "policy/tighten.h"

namespace paddock {
namespace {

Scene scene_of(unsigned turn) {
  constexpr const char* profiles[] = {"strict", "balanced", "dev"};
  Scene scene = turn % 4 == 3 ? agent_scene() : turn % 4 == 2 ? worktree_scene() : project_scene(profiles[turn % 3]);
  scene.host.file("/home/u/p/secrets/key").file("/home/u/p/secrets/deep/key").file("/home/u/p/deploy/run.sh").file("/home/u/p/src/a.c").file("/home/u/p/.envrc");
  scene.host.file("/home/u/data/secrets/key").file("/home/u/data/a/b").link("/home/u/p/link", "/home/u/data").link("/home/u/p/src/up", "../secrets");
  scene.host.file("/home/u/notes/.env").file("/srv/shared/x").directory("/home/u/.cache/paddock/tools").file("/tmp/other/x");
  return scene;
}

Vocabulary vocabulary() {
  Vocabulary words;
  words.paths = {"/home/u/data", "~/data/a", "~/data/secrets/key", "secrets", "secrets/deep", "deploy", "~/notes", "/srv/shared", "~/absent?", "/home/u/p/secrets/key"};
  words.patterns = {"secrets", "secrets/**", "secrets/key", "secrets/deep", "**/.env", "**/key", "*/key", "src", "deploy/", "/home/u/data/secrets", "~/notes", "!.envrc", "!.git/hooks", "!deploy", ".git", "link", "src/up"};
  return words;
}

std::vector<std::string> paths_of(const HostView& host, const std::string& directory = "/") {
  std::vector<std::string> all{directory};
  if (host.look(directory).kind != FileKind::directory) return all;
  for (const std::string& name : host.list(directory)) {
    for (std::string& below : paths_of(host, path::join(directory, name))) all.push_back(std::move(below));
  }
  return all;
}

// What a path inside is: nothing of the host's, or one of its files and whether that can be written.
struct Shown {
  std::string source;
  bool writable = false;
};

Shown shown_at(const Plan& plan, const std::string& place) {
  Shown shown;
  for (const Mount& mount : plan.mounts) {
    if (!path::is_within(place, mount.target)) continue;
    shown = {};
    if (mount.kind != MountKind::bind) continue;
    const std::string below = path::relative(place, mount.target);
    shown = {below.empty() ? mount.source : path::join(mount.source, below), mount.access == MountAccess::read_write};
  }
  return shown;
}

TEST(TightenedPlan, ShowsAndOpensNothingMore) {
  RandomPolicy person(3, vocabulary(), OriginKind::user_config, "U"), file(5, vocabulary(), OriginKind::repository_config, ".paddock.toml");
  unsigned compared = 0;
  const unsigned wanted = trials(60);
  for (unsigned turn = 0; turn < wanted; ++turn) {
    Scene scene = scene_of(turn);
    const Policy standing = merge(scene.input.policy, person.next());
    const Policy asked = file.next();
    scene.input.policy = standing;
    const auto wide = scene.plan();
    scene.input.policy = tighten(standing, asked).policy;
    const auto tight = scene.plan();
    if (!wide || !tight) continue;  // refused is tight enough
    if (shown_at(*wide, "/etc/alternatives").source.empty()) continue;  // a world that this version makes no mounts for
    ++compared;
    for (const std::string& place : paths_of(scene.host)) {
      const Shown now = shown_at(*tight, place), before = shown_at(*wide, place);
      // Paddock's own: the view of /etc, a harness's private state.
      if (now.source.empty() || path::is_within(now.source, scene.input.state_directory)) continue;
      const auto real = [&](const Shown& shown) { return scene.host.real_path(shown.source).value_or(shown.source); };
      ASSERT_EQ(real(now), real(before)) << "turn " << turn << ": " << place << " came into view";
      ASSERT_FALSE(now.writable && !before.writable) << "turn " << turn << ": " << place << " became writable";
    }
    std::set<std::string> before;
    for (const Variable& variable : wide->environment) before.insert(variable.name);
    for (const Variable& variable : tight->environment) ASSERT_TRUE(before.contains(variable.name)) << variable.name;
    for (const Guarantee guarantee : wide->required) {
      const bool is_mode = name_of(guarantee).starts_with("network_") || name_of(guarantee).starts_with("work") || guarantee == Guarantee::world_host;
      ASSERT_TRUE(is_mode || holds(tight->required, guarantee) || guarantee == Guarantee::abstract_hidden) << "turn " << turn << ": " << name_of(guarantee);
    }
  }
  EXPECT_GT(compared, wanted / 4) << "too few of the drawn policies make a plan for this to show anything";
}

// A protection inside a hidden directory shows nothing of it, nor does the pin above.
TEST(TightenedPlan, AProtectionBelowAMaskStaysHidden) {
  Scene scene = scene_of(1);
  const Origin origin{OriginKind::repository_config, ".paddock.toml:1"};
  scene.input.policy.filesystem.mask.push_back({"secrets", "", false, {}});
  scene.input.policy.filesystem.protect.push_back({"secrets/deep/key", "", false, origin});
  const auto plan = scene.plan();
  ASSERT_TRUE(plan.ok());
  for (const char* place : {"/home/u/p/secrets/key", "/home/u/p/secrets/deep", "/home/u/p/secrets/deep/key"}) EXPECT_EQ(shown_at(*plan, place).source, "") << place;
}

}  // namespace
}  // namespace paddock
