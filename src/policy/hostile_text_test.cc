#include "policy/hostile_text.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"

namespace paddock {
namespace {

// Each file of a folder of the fuzz corpus, whole and cut short at every length.
void replay(const std::string& folder, void (*read)(std::string_view)) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PADDOCK_SOURCE_DIR "/fuzz/corpus/" + folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string text = read_file(entry.path().string()).value();
    for (std::size_t size = 0; size <= text.size(); size += text.size() > 400 ? 7 : 1) read(text.substr(0, size));
    read(text);
    ++files;
  }
  EXPECT_GT(files, 0) << folder;
}

TEST(HostileText, PolicyCorpus) { replay("policy", read_hostile_policy); }
TEST(HostileText, PolicyCorpusAsACeiling) { replay("policy", read_hostile_ceiling); }
TEST(HostileText, EnvFileCorpus) { replay("env_file", read_hostile_env_file); }

}  // namespace
}  // namespace paddock
