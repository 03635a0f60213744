#include "host/pattern_walk.h"

#include <algorithm>

#include "base/text.h"
#include "host/host_test_support.h"
#include "host/pattern_states.h"

namespace paddock {
namespace {

using Paths = std::vector<std::string>;

Paths found(const std::vector<std::string>& roots, const std::vector<std::string>& patterns) {
  auto result = match_patterns(roots, patterns);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.failure().message);
  return result.ok() ? *result : Paths{};
}

TEST(PatternWalk, FindsNamesAtAnyDepthAndOfAnyBytes) {
  const TemporaryTree tree;
  const Paths expected{tree.file("w/ \n'\"*/.env"), tree.file("w/-a/b/.env"), tree.file("w/.env"), tree.file("w/\xff/k.pem")};
  tree.file("w/-a/b/env");
  tree.file("other/.env");
  Paths sorted = expected;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(found({tree / "w"}, {tree / "w/**/.env", tree / "w/**/*.pem"}), sorted);
}

TEST(PatternWalk, CoversWithADirectory) {
  const TemporaryTree tree;
  tree.file("w/secrets/a/b");
  tree.file("w/x/secrets/c");
  EXPECT_EQ(found({tree / "w"}, {tree / "w/**/secrets/**"}), (Paths{tree / "w/secrets", tree / "w/x/secrets"}));
  EXPECT_EQ(found({tree / "w"}, {tree / "w/*/"}), (Paths{tree / "w/secrets", tree / "w/x"}));
  EXPECT_EQ(found({tree / "w/x"}, {tree / "w/**"}), Paths{tree / "w/x"});
  EXPECT_EQ(found({tree / "w"}, {tree / "w/s*/?/[a-c]"}), Paths{tree / "w/secrets/a/b"});
}

TEST(PatternWalk, C007GoesThroughLinksToRealPaths) {
  const TemporaryTree tree;
  const std::string secret = tree.file("out/deep/.env");
  tree.directory("w");
  tree.link("w/link", tree / "out");
  tree.link("w/again", tree / "out/deep");
  EXPECT_EQ(found({tree / "w", tree / "out"}, {tree / "w/**/.env"}), Paths{secret});
  EXPECT_EQ(found({tree / "w", tree / "out"}, {tree / "w/link/*/.env"}), Paths{secret});
  EXPECT_EQ(found({tree / "w"}, {tree / "w/**/.env"}), Paths{});  // out of view
}

TEST(PatternWalk, ReportsAMatchingLinkAndItsTarget) {
  const TemporaryTree tree;
  tree.file("w/real");
  tree.link("w/a.env", "real");
  tree.link("w/b.env", "nowhere");
  EXPECT_EQ(found({tree / "w"}, {tree / "w/*.env"}), (Paths{tree / "w/a.env", tree / "w/b.env", tree / "w/real"}));
}

TEST(PatternWalk, C156EndsInLoopsAndPassesUnreadableDirectories) {
  const TemporaryTree tree;
  tree.file("w/a/.env");
  tree.link("w/a/up", "..");
  tree.link("w/a/self", ".");
  tree.link("w/loop", "loop");
  tree.link("w/root", "/");
  tree.directory("w/closed");
  ASSERT_EQ(::chmod((tree / "w/closed").c_str(), 0), 0);
  Paths expected{tree / "w/a/.env"};
  if (::geteuid() != 0) expected.push_back(tree / "w/closed");  // its owner could open it again
  EXPECT_EQ(found({tree / "w"}, {tree / "w/**/.env", tree / "w/a/*/*/a/.env"}), expected);
}

TEST(PatternWalk, ReportsAnOwnClosedDirectoryToAnOrdinaryUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to become another user; as a user the test above shows it";
  const TemporaryTree tree;
  tree.directory("w/closed");
  ASSERT_EQ(::chown((tree / "w/closed").c_str(), 65534, 65534), 0);
  ASSERT_EQ(::chmod((tree / "w/closed").c_str(), 0), 0);
  ASSERT_EQ(::chmod((tree / "w").c_str(), 0755), 0);
  ASSERT_EQ(::chmod(tree.root().c_str(), 0755), 0);
  ASSERT_EQ(::seteuid(65534), 0);
  auto result = match_patterns({tree / "w"}, {tree / "w/**/.env"});
  ASSERT_EQ(::seteuid(0), 0);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(*result, Paths{tree / "w/closed"});
}

TEST(PatternWalk, LeavesGitObjectsAlone) {
  const TemporaryTree tree;
  tree.file("w/.git/objects/ab/.env");
  tree.file("w/.git/modules/x/objects/.env");
  tree.file("w/objects/.env");
  EXPECT_EQ(found({tree / "w"}, {tree / "w/**/.env"}), Paths{tree / "w/objects/.env"});
}

TEST(PatternWalk, StopsAtItsLimits) {
  const TemporaryTree tree;
  for (int i = 0; i < 20; ++i) tree.file("w/" + std::to_string(i));
  const auto many = match_patterns({tree / "w"}, {tree / "w/**/.env"}, 10);
  ASSERT_FALSE(many.ok());
  EXPECT_EQ(many.failure().message, tree / "w" + " has more than 10 entries, too many to search for patterns at each start");
  std::string deep = "d";
  for (int i = 0; i < walk_depth_max + 2; ++i) deep += "/d";
  tree.directory(deep);
  EXPECT_FALSE(match_patterns({tree / "d"}, {tree / "d/**/.env"}).ok());
}

TEST(PatternWalk, TakesAbsentRootsRootsBelowRootsAndLinksAsRoots) {
  const TemporaryTree tree;
  tree.file("w/sub/.env");
  tree.link("l", tree / "w");
  EXPECT_EQ(found({tree / "w", tree / "w/sub", tree / "absent"}, {tree / "**/.env"}), Paths{tree / "w/sub/.env"});
  EXPECT_EQ(found({tree / "l"}, {tree / "l/**/.env"}), Paths{tree / "w/sub/.env"});
  EXPECT_EQ(found({tree / "w/sub/.env"}, {tree / "**/.env"}), Paths{tree / "w/sub/.env"});
  EXPECT_EQ(found({}, {"/**"}), Paths{});
}

// The automaton and path_matches are two writings of one language.
TEST(PatternStates, AgreesWithPathMatches) {
  const char* patterns[] = {"/a/**/b", "/**", "/a/*/c", "/**/x*", "/**/*y", "/a/**/b/**/c", "/a/[bc]/?", "/**/**/z", "/a/b/**", "/a"};
  const char* names[] = {"a", "b", "c", "xy", "z", "y"};
  std::vector<std::string> paths{""};
  for (std::size_t from = 0, length = 0; length < 4; ++length) {
    const std::size_t end = paths.size();
    for (; from < end; ++from) {
      for (const char* name : names) paths.push_back(paths[from] + "/" + name);
    }
  }
  for (const char* pattern : patterns) {
    PatternStates states({pattern});
    for (const std::string& path : paths) {
      if (path.empty()) continue;
      StateSet set = states.at_root();
      bool covered = false, matched = false;
      for (const std::string& name : split(path.substr(1), '/')) {
        const Step step = states.step(set, name.c_str(), name.size(), EntryKind::directory);
        // A match takes the pattern out for what lies below: it is covered.
        covered = covered || matched || step.match == Match::everything;
        matched = step.match != Match::none;
        set = step.below;
      }
      const bool expected = path_matches(pattern, path);
      EXPECT_TRUE(covered || matched == expected) << pattern << " " << path;
      EXPECT_TRUE(!expected || matched || covered) << pattern << " " << path;
    }
  }
}

}  // namespace
}  // namespace paddock
