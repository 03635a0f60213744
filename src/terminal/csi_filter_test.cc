#include "terminal/csi_filter.h"

#include "terminal/filtered_for_tests.h"

namespace paddock::terminal {
namespace {

TEST(CsiFilter, PassesWhatDraws) {
  for (const std::string body :
       {"A",         "12;40H", "2J",     "K", "38;2;1;2;3m", "4:3m", "38:2::1:2:3m", "?25l",   "3 q", "!p", "5X",
        "1;1;5;5$z", "2L",     "10;20r", "s", "u",           "b",    "99999;99999H", "?2026h", "2'}", "#{"}) {
    EXPECT_EQ(output_of("a\x1b[" + body + "z"), "a\x1b[" + body + "z");
  }
}

TEST(CsiFilter, DropsWhatMakesTheTerminalTypeOrChangesHowItReads) {
  for (const std::string body :
       {"21t",  "20t",  "11t",     "13t",    "15t",  "19t",           "3;0;0t", "8;10;10t", "2t",      "9;1t",  "21;0t",
        "x",    "1x",   "?15n",    "7n",     "?26n", "1;1;1;1;5;5*y", "1$w",    "2$w",      "?1$w",    "5i",    "?5i",
        "i",    "\"p",  "62;1\"p", "1;2'z",  "'|",   "?1s",           "?1049r", "#|",       "#R",      "&u",    ">2;1t",
        "?2l",  "?38h", "?1001h",  "?9001h", "2h",   "1;2;3;4;5T",    "1;2;3",  "?1$$p",    "<0;1;1M", ">4;1f", ">1;2m",
        "4:1H", "1?h",  "$u"}) {
    EXPECT_EQ(output_of("a\x1b[" + body + "\x18z"), "az") << body;
  }
}

TEST(CsiFilter, PassesAndCountsQueries) {
  const std::string queries =
      "\x1b[c\x1b[0c\x1b[>c\x1b[=c\x1b[5n\x1b[6n\x1b[?6n\x1b[?996n\x1b[?2026$p\x1b[4$p\x1b[>0q\x1b[?u\x1b[?4m\x1b["
      "14t\x1b[16t\x1b[18t";
  const Filtered result = filtered(queries);
  EXPECT_EQ(result.output, queries);
  EXPECT_EQ(result.counts.queries, 16u);
  EXPECT_EQ(result.counts.status_requests, 1u);
  EXPECT_EQ(result.counts.dropped, 0u);
}

TEST(CsiFilter, DropsQueriesAndReportsThatNobodyWouldRead) {
  const Filtered result =
      filtered("\x1b[c\x1b[5n\x1b[6n\x1b[?u\x1b[?1000;2004h\x1b[?1004h\x1b]11;?\a", {.queries = Queries::drop});
  EXPECT_EQ(result.output, "\x1b[?2004h");
  EXPECT_EQ(result.counts.queries, 0u);
}

TEST(CsiFilter, TakesUnknownModesOutOfAList) {
  EXPECT_EQ(output_of("\x1b[?1049;2;25;38h"), "\x1b[?1049;25h");
}

TEST(CsiFilter, WritesNumbersSoThatNoTerminalOverflows) {
  EXPECT_EQ(output_of("\x1b[000031m\x1b[4294967317t\x1b[?00001049h"), "\x1b[31m\x1b[?1049h");
  EXPECT_EQ(output_of("\x1b[4294967317H"), "\x1b[42949H");
}

TEST(CsiFilter, KeepsTheUsersPartOfTheStacks) {
  EXPECT_EQ(output_of("\x1b[<u\x1b[23;0t"), "");
  EXPECT_EQ(output_of("\x1b[>1u\x1b[>3u\x1b[<9u"), "\x1b[>1u\x1b[>3u\x1b[<2u");
  EXPECT_EQ(output_of("\x1b[22;0t\x1b[23;0t\x1b[23;0t"), "\x1b[22;0t\x1b[23;0t");
}

TEST(CsiFilter, BoundsTheStacks) {
  std::string keyboard;
  std::string titles;
  for (std::size_t i = 0; i < keyboard_depth_max; ++i) keyboard += "\x1b[>1u";
  for (int i = 0; i < title_depth_max; ++i) titles += "\x1b[22;0t";
  EXPECT_EQ(filter_in_pieces(keyboard + "\x1b[>1u", 5, 5, {}).output, keyboard);
  EXPECT_EQ(filter_in_pieces(titles + "\x1b[22;0t", 5, 5, {}).output, titles);
  EXPECT_EQ(filter_in_pieces(keyboard, 5, 5, {}).reset, "\x1b[<16u");
}

}  // namespace
}  // namespace paddock::terminal
