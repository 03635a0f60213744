// The corpus of the fuzzer, through the function that the fuzzer calls.
#include "../fuzz/terminal_filter.cc"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include <gtest/gtest.h>

namespace paddock::terminal {
namespace {

void run_one(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

TEST(FilterReplay, HoldsForTheCorpusUnderEveryOption) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PADDOCK_SOURCE_DIR "/fuzz/corpus/terminal_filter")) {
    SCOPED_TRACE(entry.path().filename().string());
    std::ifstream file(entry.path(), std::ios::binary);
    std::string input((std::istreambuf_iterator<char>(file)), {});
    for (int options = 0; options < 256; ++options) {
      input[0] = static_cast<char>(options);
      run_one(input);
    }
    ++files;
  }
  EXPECT_GE(files, 12);
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
  for (int run = 0; run < 20000; ++run) {
    std::string input(1, static_cast<char>(random()));
    for (unsigned length = random() % 40; length > 0; --length) input += pieces[random() % pieces.size()];
    run_one(input);
  }
}

}  // namespace
}  // namespace paddock::terminal
