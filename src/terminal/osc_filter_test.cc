#include "terminal/osc_filter.h"

#include "terminal/filtered_for_tests.h"

namespace paddock::terminal {
namespace {

std::string osc(const std::string& content) { return "\x1b]" + content + "\a"; }

TEST(OscFilter, CleansTitlesAndPutsTheUsersOnTheStackOnce) {
  const Filtered result = filtered(osc("0;a\x01\n\x7f" "b\xc2\x9bq\xff\xc3\xa4") + "\x1b]2;\x1b\\" + osc("1;i"));
  EXPECT_EQ(result.output, "\x1b[22;0t\x1b]0;abq\xc3\xa4\a\x1b]2;\x1b\\\x1b]1;i\a");
  EXPECT_EQ(result.reset, "\x1b[23;0t");
}

TEST(OscFilter, CutsALongTitleAtACharacter) {
  std::string title(title_bytes_max - 1, 'a');
  const std::string out = filter_in_pieces(osc("2;" + title + "\xc3\xa4z"), 1, 64, {}).output;
  EXPECT_EQ(out, "\x1b[22;0t" + osc("2;" + title));
}

TEST(OscFilter, NeverReadsTheClipboard) {
  for (const FilterOptions options : {FilterOptions{}, FilterOptions{.clipboard_write = ClipboardWrite::pass}}) {
    const Filtered result =
        filtered(osc("52;c;?") + osc("52;;?") + osc("052;c;?") + "\x1b]52;c;?\x1b\\" + osc("52;p;?x"), options);
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(result.counts.clipboard_reads, 4u);
  }
}

TEST(OscFilter, WritesTheClipboardByPolicy) {
  const std::string write = osc("52;c;aGVsbG8=");
  EXPECT_EQ(output_of(write), "");
  EXPECT_EQ(output_of(write, {.clipboard_write = ClipboardWrite::pass}), write);
  EXPECT_EQ(output_of(osc("52;c;a b") + osc("52;x;aa"), {.clipboard_write = ClipboardWrite::pass}), "");
}

TEST(OscFilter, PassesALargeClipboard) {
  const std::string write = osc("52;c;" + std::string(100000, 'A'));
  EXPECT_EQ(filter_in_pieces(write, 3, 4096, {.clipboard_write = ClipboardWrite::pass}).output, write);
}

TEST(OscFilter, NotifiesByPolicy) {
  const std::string plain = osc("9;done") + osc("777;notify;t;b") + osc("99;i=1:d=0:p=title;done") + osc("99;;x");
  EXPECT_EQ(output_of(plain), "");
  EXPECT_EQ(output_of(plain, {.notifications = Notifications::pass}), plain);
}

TEST(OscFilter, NeverPassesNotificationsThatAnswerOrAct) {
  const FilterOptions open{.notifications = Notifications::pass};
  for (const std::string content : {"9;7;\"cmd\"", "9;5", "9;6;macro", "99;i=1:p=?;", "99;a=report;x", "99;c=1;x",
                                    "99;i=1:p=close;", "777;precmd", "9;\xc2\x9b", "99;x"}) {
    EXPECT_EQ(output_of(osc(content), open), "") << content;
  }
}

TEST(OscFilter, PassesProgressAndEndsIt) {
  EXPECT_EQ(output_of(osc("9;4;1;50")), osc("9;4;1;50"));
  EXPECT_EQ(reset_of(osc("9;4;1;50")), "\x1b]9;4;0\x1b\\");
  EXPECT_EQ(reset_of(osc("9;4;1;50") + osc("9;4;0;")), "");
}

TEST(OscFilter, PassesColoursCountsTheirQueriesAndResetsThem) {
  const std::string queries = osc("10;?") + osc("11;?") + osc("4;0;?;1;?");
  EXPECT_EQ(filtered(queries).output, queries);
  EXPECT_EQ(filtered(queries).counts.queries, 4u);
  EXPECT_EQ(reset_of(queries), "");
  EXPECT_EQ(reset_of(osc("4;1;#ff0000") + osc("11;rgb:00/00/00;red")), "\x1b]104\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\");
  EXPECT_EQ(reset_of(osc("4;1;red") + osc("12;red") + osc("104") + osc("112")), "");
}

TEST(OscFilter, PassesLinksToTheWebAndClosesThem) {
  const std::string link = osc("8;id=1;https://example.com/a?b=c");
  EXPECT_EQ(output_of(link + "x" + osc("8;;")), link + "x" + osc("8;;"));
  EXPECT_EQ(reset_of(link), "\x1b]8;;\x1b\\");
  EXPECT_EQ(output_of(osc("8;;file:///etc/passwd") + "x" + osc("8;;")), "x" + osc("8;;"));
  EXPECT_EQ(output_of(link + "x", {.hyperlinks = Hyperlinks::drop}), "x");
}

TEST(OscFilter, DropsEverythingElse) {
  for (const std::string content : {"5113;ac=send",
                                    "1337;File=name=YQ==:AAAA",
                                    "1337;ReportCellSize",
                                    "1337;SetUserVar=a=b",
                                    "50;?",
                                    "7;file://h/",
                                    "133;A",
                                    "633;E;rm",
                                    "51;A",
                                    "5522;type=read",
                                    "21;foreground=?",
                                    "22;?",
                                    "3;a=b",
                                    "00;x",
                                    "",
                                    ";",
                                    "L;x",
                                    "-1;x",
                                    "99999;x",
                                    "P0000000"}) {
    EXPECT_EQ(output_of("a" + osc(content) + "z"), "az") << content;
  }
}

}  // namespace
}  // namespace paddock::terminal
