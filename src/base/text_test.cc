#include "base/text.h"

#include <gtest/gtest.h>

namespace paddock {
namespace {

TEST(Text, SplitsAndJoins) {
  EXPECT_EQ(split("a::b", ':'), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(split("", ':'), (std::vector<std::string>{""}));
  EXPECT_EQ(join({"a", "b"}, ", "), "a, b");
}

TEST(Text, QuotesEveryShellWordExactly) {
  EXPECT_EQ(shell_word("plain-1.0/x=y"), "plain-1.0/x=y");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's $(x)"), "'it'\\''s $(x)'");
}

TEST(Text, ShowsWhatAScreenWouldObeyOrHide) {
  EXPECT_EQ(visible_lines("a\x1b\n\nb"), "a\\x1b\n\nb");
  EXPECT_EQ(visible("plain é漢"), "plain é漢");
  EXPECT_EQ(visible("\x1b[2J"), "\\x1b[2J");
  EXPECT_EQ(visible("a\nb\tc\r"), "a\\nb\\tc\\x0d");
  EXPECT_EQ(visible("\xc2\x9b" "2J"), "\\x9b2J");            // C1 CSI
  EXPECT_EQ(visible("x\xe2\x80\xaey"), "x\\u202ey");         // right-to-left override
  EXPECT_EQ(visible("\xff\xc0\x80"), "\\xff\\xc0\\x80");     // not UTF-8, overlong NUL
}

TEST(Text, ReadsSizes) {
  EXPECT_EQ(parse_bytes("512"), 512u);
  EXPECT_EQ(parse_bytes("8G"), 8ull << 30);
  EXPECT_EQ(parse_bytes("1.5M"), 3ull << 19);
  EXPECT_EQ(parse_bytes("2KiB"), 2048u);
  for (const char* wrong : {"", "G", "-1", "1X", "99999999999T", "1 G", "0x10"}) {
    EXPECT_EQ(parse_bytes(wrong), std::nullopt) << wrong;
  }
}

TEST(Text, ReadsDurations) {
  EXPECT_EQ(parse_duration_ms("90"), 90'000u);
  EXPECT_EQ(parse_duration_ms("250ms"), 250u);
  EXPECT_EQ(parse_duration_ms("2h"), 7'200'000u);
  EXPECT_EQ(parse_duration_ms("0.5s"), 500u);
  for (const char* wrong : {"", "0", "0s", "-1s", "1y", "s", "99999999999999999999"}) {
    EXPECT_EQ(parse_duration_ms(wrong), std::nullopt) << wrong;
  }
}

TEST(Text, SuggestsOnlyWhatIsNear) {
  EXPECT_EQ(nearest("netwrok", {"network", "filesystem"}), "network");
  EXPECT_EQ(nearest("maskPath", {"mask", "protect"}), std::nullopt);
  EXPECT_EQ(nearest("zzz", {"network"}), std::nullopt);
}

TEST(Text, MatchesPathPatterns) {
  EXPECT_TRUE(path_matches("/a/**/.env", "/a/.env"));
  EXPECT_TRUE(path_matches("/a/**/.env", "/a/b/c/.env"));
  EXPECT_FALSE(path_matches("/a/**/.env", "/a/b/.envrc"));
  EXPECT_TRUE(path_matches("/a/**", "/a/b"));
  EXPECT_TRUE(path_matches("/h/.ssh/id_*", "/h/.ssh/id_rsa"));
  EXPECT_FALSE(path_matches("/h/*/id", "/h/a/b/id"));
}

}  // namespace
}  // namespace paddock
