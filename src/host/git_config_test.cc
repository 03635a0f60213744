#include "host/git_config.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "host/host_file.h"
#include "host/hostile_git_config.h"

namespace paddock {
namespace {

std::vector<std::string> listed(std::string_view text) {
  std::vector<std::string> lines;
  for (const GitConfigEntry& entry : parse_git_config(text).entries) {
    lines.push_back(git_config_key(entry) + (entry.value ? "=" + *entry.value : ""));
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(GitConfig, ReadsSectionsSubsectionsAndNames) {
  EXPECT_EQ(listed("[User]\n\tName = A B\n[remote \"Or i.gin\"] URL=x\n[branch.Main]\nmerge=m\n[a \"q\\\"b\\\\\"]\nc\n[A.B \"C\"]d\n"),
            (Lines{"user.name=A B", "remote.Or i.gin.url=x", "branch.main.merge=m", "a.q\"b\\.c", "a.b.C.d"}));
}

TEST(GitConfig, ReadsQuotesEscapesCommentsAndContinuations) {
  EXPECT_EQ(listed("[a]\nb = \"x # y\" z ; c\nc = one\\\n two\nd = \\t\\n\\b\\\\\\\"\ne =   \nf = a\"  b  \"c  \n# no\n; no\n"),
            (Lines{"a.b=x # y z", "a.c=one two", "a.d=\t\n\b\\\"", "a.e=", "a.f=a  b  c"}));
}

TEST(GitConfig, TakesWindowsLineEndsAByteOrderMarkAndNoLastLineEnd) {
  EXPECT_EQ(listed("\xef\xbb\xbf[a]\r\nb = c\r\nd = e\\\r\nf"), (Lines{"a.b=c", "a.d=ef"}));
}

TEST(GitConfig, NamesTheLineThatGitWouldRefuse) {
  EXPECT_EQ(parse_git_config("[a]\nb=c\n[d\n").bad_line, 3u);
  EXPECT_EQ(parse_git_config("[a]\nb = \"open\nc=d\n").bad_line, 2u);
  EXPECT_EQ(parse_git_config("[a]\nb = \\q\n").bad_line, 2u);
  EXPECT_EQ(parse_git_config("[a]\n=x\n").bad_line, 2u);
  EXPECT_EQ(parse_git_config("[a \"b\n\"]\n").bad_line, 1u);
  EXPECT_EQ(parse_git_config("[a]\nb c\n").bad_line, 2u);
  EXPECT_EQ(parse_git_config("").bad_line, 0u);
  EXPECT_EQ(listed("[a]\nb=c\n[d\n"), Lines{"a.b=c"});
}

TEST(GitConfig, StopsAtItsLimits) {
  std::string many = "[a]\n";
  for (std::size_t i = 0; i < git_config_entries_max + 1; ++i) many += "b\n";
  EXPECT_EQ(parse_git_config(many).entries.size(), git_config_entries_max);
  EXPECT_NE(parse_git_config(many).bad_line, 0u);
  const std::string large = "[a]\nb=c\n" + std::string(git_config_bytes_max, '#');
  EXPECT_EQ(parse_git_config(large).entries.size(), 1u);
  EXPECT_EQ(parse_git_config(large).bad_line, 3u);
}

TEST(GitConfig, KnowsBooleans) {
  for (const char* yes : {"true", "YES", "on", "1", "-2", "3k"}) EXPECT_EQ(git_boolean(yes), true) << yes;
  for (const char* no : {"false", "No", "off", "0", "", "00"}) EXPECT_EQ(git_boolean(no), false) << no;
  EXPECT_EQ(git_boolean({}), true);
  for (const char* other : {"maybe", "1x", "-", "k"}) EXPECT_EQ(git_boolean(other), std::nullopt) << other;
}

TEST(GitConfig, HoldsItsBoundsOnTheCorpus) {
  const std::string corpus = PADDOCK_SOURCE_DIR "/fuzz/corpus/git_config";
  const std::vector<std::string> names = list_directory(corpus);
  EXPECT_GE(names.size(), 8u);
  for (const std::string& name : names) {
    const auto text = read_file(corpus + "/" + name);
    ASSERT_TRUE(text.ok());
    read_hostile_git_config(*text);
  }
}

}  // namespace
}  // namespace paddock
