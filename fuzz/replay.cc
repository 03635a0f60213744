// Replays a target's corpus without a fuzzer: every file whole, cut short at each of its bytes (of long ones at some),
// and changed at random by a fixed generator. PADDOCK_TEST_SCALE multiplies the random part.
// Usage: fuzz_replay TARGET DIRECTORY
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using Target = int(const std::uint8_t*, std::size_t);
#define FUZZ_TARGET(name) extern "C" Target fuzz_##name;
#include "fuzz_targets.inc"
#undef FUZZ_TARGET

namespace {

struct Row {
  std::string_view name;
  Target* target;
};

#define FUZZ_TARGET(name) {#name, fuzz_##name},
constexpr Row rows[] = {
#include "fuzz_targets.inc"
};

constexpr std::size_t cuts_max = 64;
constexpr int changes_for_each_file = 60;

std::string running;  // what the target reads now; printed when it ends the process

void tell(int) {
  std::fputs("the input that failed:\n", stderr);
  for (const char c : running) std::fprintf(stderr, c >= ' ' && c < 127 && c != '\\' ? "%c" : "\\x%02x", static_cast<unsigned char>(c));
  std::fputs("\n", stderr);
  std::_Exit(1);
}

void run(Target* target, const std::string& input) {
  running = input;
  // A buffer of exactly this size: the address sanitizer sees a read beyond it.
  const std::vector<std::uint8_t> bytes(input.begin(), input.end());
  target(bytes.data(), bytes.size());
}

// One to four bytes replaced, taken out, doubled, or a piece of another file put in.
std::string changed(std::string text, const std::vector<std::string>& corpus, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random() % n); };
  for (std::size_t n = 1 + below(4); n > 0; --n) {
    const std::size_t at = below(text.size());
    switch (below(4)) {
      case 0:
        if (!text.empty()) text[at] = static_cast<char>(random());
        break;
      case 1:
        if (!text.empty()) text.erase(at, 1 + below(8));
        break;
      case 2:
        text.insert(at, text.substr(at, 1 + below(32)));
        break;
      default: {
        const std::string& other = corpus[below(corpus.size())];
        const std::size_t from = below(other.size());
        text.insert(at, other.substr(from, 1 + below(64)));
      }
    }
  }
  return text;
}

std::vector<std::string> read_corpus(const char* directory) {
  std::vector<std::filesystem::path> places;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.is_regular_file()) places.push_back(entry.path());
  }
  std::ranges::sort(places);
  std::vector<std::string> corpus;
  for (const auto& place : places) {
    std::ifstream file(place, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return corpus;
}

int replay(Target* target, const std::vector<std::string>& corpus) {
  const char* scale = std::getenv("PADDOCK_TEST_SCALE");
  const int changes = changes_for_each_file * std::max(1, scale == nullptr ? 1 : std::atoi(scale));
  std::mt19937 random(1);
  for (const std::string& text : corpus) {
    const std::size_t step = std::max<std::size_t>(1, text.size() / cuts_max);
    for (std::size_t size = 0; size < text.size(); size += step) run(target, text.substr(0, size));
    run(target, text);
    for (int n = 0; n < changes; ++n) run(target, changed(text, corpus, random));
  }
  std::printf("%zu files\n", corpus.size());
  return corpus.empty() ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::signal(SIGABRT, tell);
  const auto* const row = std::ranges::find(rows, std::string_view(argv[1]), &Row::name);
  if (row == std::end(rows)) return 2;
  return replay(row->target, read_corpus(argv[2]));
}
