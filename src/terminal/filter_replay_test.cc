// The corpus of the fuzzer, through the function that the fuzzer calls.
#include "../fuzz/terminal_filter.cc"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include <gtest/gtest.h>

namespace paddock::terminal {
namespace {

// What comes out of the filter, with the options of the first byte.
std::string passed(const std::string& input) {
  OutputFilter filter(options_of(static_cast<unsigned char>(input[0])));
  std::string output;
  filter.feed(std::string_view(input).substr(1), output);
  return output;
}

TEST(FilterReplay, HoldsForTheCorpusUnderEveryOption) {
  int files = 0;
  int changed = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PADDOCK_SOURCE_DIR "/fuzz/corpus/terminal_filter")) {
    SCOPED_TRACE(entry.path().filename().string());
    std::ifstream file(entry.path(), std::ios::binary);
    std::string input((std::istreambuf_iterator<char>(file)), {});
    for (int options = 0; options < 256; ++options) {
      input[0] = static_cast<char>(options);
      ASSERT_EQ(fault_of(input), "") << "options " << options;
      changed += passed(input) != std::string_view(input).substr(1) ? 1 : 0;
    }
    ++files;
  }
  EXPECT_GE(files, 12);
  EXPECT_GT(changed, files) << "the corpus holds what has to be taken out";
}

TEST(FilterReplay, HoldsForRandomSequences) {
  const std::vector<std::string> pieces{"\x1b",
                                        "[",
                                        "]",
                                        "?",
                                        ">",
                                        "<",
                                        "=",
                                        ";",
                                        ":",
                                        "0",
                                        "2",
                                        "4",
                                        "52",
                                        "1049",
                                        "25",
                                        "h",
                                        "l",
                                        "m",
                                        "u",
                                        "t",
                                        "n",
                                        "c",
                                        "\a",
                                        "\x1b\\",
                                        "\xc2",
                                        "\x9b",
                                        "\x9c",
                                        "\x9d",
                                        "\xe2\x94\x82",
                                        "\x18",
                                        "$",
                                        "p",
                                        "P",
                                        "_",
                                        "file:",
                                        "https://a",
                                        "9",
                                        "a",
                                        "\n",
                                        "\x05",
                                        "%",
                                        "@",
                                        " ",
                                        "q",
                                        "99",
                                        "p=title"};
  std::mt19937 random(1);
  int changed = 0;
  int passed_whole = 0;
  for (int run = 0; run < 20000; ++run) {
    std::string input(1, static_cast<char>(random()));
    for (unsigned length = random() % 40; length > 0; --length) input += pieces[random() % pieces.size()];
    ASSERT_EQ(fault_of(input), "") << testing::PrintToString(input);
    ++(passed(input) == std::string_view(input).substr(1) ? passed_whole : changed);
  }
  // Sequences of both kinds have been made: some to be taken out, some to be left as they are.
  EXPECT_GT(changed, 1000);
  EXPECT_GT(passed_whole, 1000);
}

// The reading that judges is not blind: unfiltered, the corpus has faults.
TEST(FilterReplay, TheJudgeSeesWhatIsForbidden) {
  for (const std::string_view forbidden : {"\x1b]52;c;?\a", "\x1b[21t", "\x05", "\x1bP$qm\x1b\\", "\x1b_Gx\x1b\\"}) {
    EXPECT_NE(paddock::fuzz::TerminalScan(forbidden, false).fault(), "") << testing::PrintToString(forbidden);
  }
}

}  // namespace
}  // namespace paddock::terminal
