#include "terminal/output_filter.h"

#include "terminal/characters.h"
#include "terminal/filtered_for_tests.h"

namespace paddock::terminal {
namespace {

using std::string_literals::operator""s;

TEST(OutputFilter, PassesTextAndLineControls) {
  const std::string text = "a\tb\r\nc\bd\a\v\f plain ~ text \xc3\xa4\xe2\x94\x82\xf0\x9f\x90\x8e end";
  EXPECT_EQ(output_of(text), text);
  EXPECT_EQ(reset_of(text), "");
}

TEST(OutputFilter, DropsOtherControls) {
  EXPECT_EQ(output_of("a\x05" "b\0c\x11\x13\x7f\x01" "d"s), "abcd");
}

TEST(OutputFilter, KeepsContinuationBytesThatLookLikeC1) {
  const std::string text = "\xc3\x9b\xc3\x90\xc3\x9d\xe2\x9c\x93\xc5\x9b";  // Û Ð Ý ✓ ś
  EXPECT_EQ(output_of(text), text);
}

TEST(OutputFilter, ReadsC1InUtf8AsIntroducers) {
  EXPECT_EQ(output_of("\xc2\x9b" "31mx"), "\x1b[31mx");
  EXPECT_EQ(output_of("\xc2\x9b" "21tx"), "x");
  EXPECT_EQ(output_of("\xc2\x9d" "0;t\xc2\x9cx"), "\x1b[22;0t\x1b]0;t\x1b\\x");
  EXPECT_EQ(output_of("\xc2\x90$qm\xc2\x9cx\xc2\x85y"), "x\x1b" "Ey");
}

TEST(OutputFilter, ReplacesInvalidUtf8) {
  const std::string r(replacement_character);
  EXPECT_EQ(output_of("a\x9b" "21tb"), "a" + r + "21tb");
  EXPECT_EQ(output_of("\xe2\x94" "A\xff\xc3\x1b[mz"), r + "A" + r + r + "\x1b[mz");
  EXPECT_EQ(output_of("\xc0\x9b\xe0\x80\x9b\xed\xa0\x80"), r + r + r + r + r + r + r + r);
}

TEST(OutputFilter, ReadsEachByteWhereTheTerminalDoes) {
  const FilterOptions bytes{.encoding = Encoding::bytes};
  EXPECT_EQ(output_of("\xe4\xa0\xff", bytes), "\xe4\xa0\xff");
  EXPECT_EQ(output_of("\x9b"
                      "31m\xc3\x9b"
                      "21tx\x9d"
                      "0;t\x9c\x85",
                      bytes),
            "\x1b[31m\xc3x\x1b[22;0t\x1b]0;t\x1b\\\x1b"
            "E");
}

TEST(OutputFilter, LetsControlsActInsideASequence) {
  EXPECT_EQ(output_of("\x1b[3\n1\x05mx"), "\n\x1b[31mx");
}

TEST(OutputFilter, EndsASequenceAtCancelAndEscape) {
  EXPECT_EQ(output_of("\x1b[3\x18" "1mx"), "1mx");
  EXPECT_EQ(output_of("\x1b[3\x1a" "1mx"), "1mx");
  EXPECT_EQ(output_of("\x1b]0;title\x18x"), "x");
  EXPECT_EQ(output_of("\x1b[3\x1b[1mx"), "\x1b[1mx");
  EXPECT_EQ(output_of("\x1b]0;t\x1b[1mx"), "\x1b[1mx");
  EXPECT_EQ(output_of("\x1bP\x1b\x1b[1mx"), "\x1b[1mx");
  EXPECT_EQ(output_of("\x1b[3\xc3\xa4m"), "\xc3\xa4m");
}

TEST(OutputFilter, PassesEscapeSequencesOfTheList) {
  for (const std::string body : {"7", "8", "D", "E", "M", "=", ">", "(0", "(B", ")0", "#8", "c", "n", "H"}) {
    EXPECT_EQ(output_of("\x1b" + body + "x"), "\x1b" + body + "x");
  }
  for (const std::string body : {"Z", "%@", "%G", " G", " F", "<", "l", "#9", "(%5", "\\"}) {
    EXPECT_EQ(output_of("\x1b" + body + "x"), "x") << body;
  }
}

TEST(OutputFilter, DropsControlStrings) {
  for (const std::string body : {
           "Ptmux;\x1b\x1b]52;c;?\a", "P$qm", "P+q544e", "P@kitty-cmd{\"cmd\":\"ls\"}", "P1$r0m", "Pq#0;2;0;0;0~",
           "_Ga=q,i=1;AAAA", "_Gt=f,a=T;L2V0Yy9wYXNzd2Q=", "^private", "Xstart", "kname"}) {
    EXPECT_EQ(output_of("a\x1b" + body + "\x1b\\z"), "az") << body;
  }
}

TEST(OutputFilter, BellDoesNotEndAControlStringOtherThanOsc) {
  EXPECT_EQ(output_of("\x1bPtmux;\a secret \x1b\\z"), "z");
}

TEST(OutputFilter, LeavesOutWhatIsTooLong) {
  EXPECT_EQ(filter_in_pieces("\x1b[" + std::string(csi_bytes_max, ';') + "mz", 7, 4096, {}).output, "z");
  const std::string title = "\x1b]2;" + std::string(osc_bytes_max, 'a') + "\az";
  EXPECT_EQ(filter_in_pieces(title, 7, 4096, {}).output, "z");
  EXPECT_EQ(filter_in_pieces("\x1b_" + std::string(3 * osc_bytes_max, 'a') + "\x1b\\z", 7, 4096, {}).output, "z");
}

TEST(OutputFilter, GrowsByAtMostTheNamedFactor) {
  std::string out;
  OutputFilter filter;
  const std::string worst(4096, '\xff');
  filter.feed(worst, out);
  EXPECT_EQ(out.size(), filter_growth_max * worst.size());
}

TEST(OutputFilter, TakesTheEncodingFromTheLocale) {
  EXPECT_EQ(encoding_of(""), Encoding::utf8);
  EXPECT_EQ(encoding_of("C"), Encoding::utf8);
  EXPECT_EQ(encoding_of("en_US.UTF-8"), Encoding::utf8);
  EXPECT_EQ(encoding_of("C.utf8"), Encoding::utf8);
  EXPECT_EQ(encoding_of("de_DE.UTF-8@euro"), Encoding::utf8);
  EXPECT_EQ(encoding_of("de_DE.ISO-8859-15@euro"), Encoding::bytes);
}

}  // namespace
}  // namespace paddock::terminal
