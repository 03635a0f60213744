#include "harness/hostile_text.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"

namespace paddock {
namespace {

TEST(HostileText, ManifestCorpusWholeAndCutShort) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PADDOCK_SOURCE_DIR "/fuzz/corpus/manifest")) {
    const std::string text = read_file(entry.path().string()).value();
    for (std::size_t size = 0; size <= text.size(); size += text.size() > 400 ? 13 : 1) {
      read_hostile_manifest(text.substr(0, size));
    }
    read_hostile_manifest(text);
    ++files;
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace paddock
