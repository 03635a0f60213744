#include "policy/hostile_text.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"

namespace paddock {
namespace {

// Each file of a folder of the fuzz corpus, whole and cut short at every length. Among the whole ones some
// must be taken and some refused: a reader that does one thing with everything has been tested by nothing.
void replay(const std::string& folder, Judged (*read)(std::string_view)) {
  int accepted = 0;
  int refused = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PADDOCK_SOURCE_DIR "/fuzz/corpus/" + folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string text = read_file(entry.path().string()).value();
    const std::string name = entry.path().filename().string();
    for (std::size_t size = 0; size <= text.size(); size += text.size() > 400 ? 7 : 1) {
      EXPECT_EQ(read(text.substr(0, size)).fault, "") << name << ", the first " << size << " bytes";
    }
    const Judged whole = read(text);
    EXPECT_EQ(whole.fault, "") << name;
    ++(whole.reading == Reading::accepted ? accepted : refused);
  }
  EXPECT_GT(accepted, 0) << folder;
  EXPECT_GT(refused, 0) << folder;
}

TEST(HostileText, PolicyCorpus) { replay("policy", read_hostile_policy); }
TEST(HostileText, PolicyCorpusAsACeiling) { replay("policy", read_hostile_ceiling); }
TEST(HostileText, EnvFileCorpus) { replay("env_file", read_hostile_env_file); }

}  // namespace
}  // namespace paddock
