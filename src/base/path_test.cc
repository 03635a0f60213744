#include "base/path.h"

#include <gtest/gtest.h>

namespace paddock::path {
namespace {

TEST(Path, IsMadeNormalLexically) {
  EXPECT_EQ(normal("a/./b//../c", "/x"), "/x/a/c");
  EXPECT_EQ(normal("/../.."), "/");
  EXPECT_EQ(normal("", "/x/y"), "/x/y");
}

TEST(Path, KnowsWhatLiesWithinWhat) {
  EXPECT_TRUE(is_within("/a/b", "/a"));
  EXPECT_TRUE(is_within("/a", "/a"));
  EXPECT_FALSE(is_within("/ab", "/a"));
  EXPECT_TRUE(is_within("/a", "/"));
  EXPECT_EQ(relative("/a/b/c", "/a"), "b/c");
  EXPECT_EQ(relative("/a", "/"), "a");
  EXPECT_EQ(relative("/a", "/a"), "");
}

TEST(Path, ListsAncestors) {
  EXPECT_EQ(ancestors_and_self("/a/b"), (std::vector<std::string>{"/", "/a", "/a/b"}));
  EXPECT_EQ(ancestors_and_self("/"), (std::vector<std::string>{"/"}));
}

TEST(Path, ExpandsOnlyTheOwnHome) {
  EXPECT_EQ(expand_home("~", "/h"), "/h");
  EXPECT_EQ(expand_home("~/x", "/h"), "/h/x");
  EXPECT_EQ(expand_home("~other/x", "/h"), "~other/x");
}

TEST(Path, AsOneName) {
  EXPECT_EQ(path::as_name("/home/u/a b"), "%2Fhome%2Fu%2Fa b");
  EXPECT_EQ(path::as_name("/a%2Fb"), "%2Fa%252Fb");
  const std::string deep(500, 'x');
  EXPECT_EQ(path::as_name(deep), std::string(200, 'x') + "/+" + std::string(200, 'x') + "/+" + std::string(100, 'x'));
}

}  // namespace
}  // namespace paddock::path
