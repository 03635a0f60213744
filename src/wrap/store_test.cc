#include "wrap/store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/file.h"
#include "base/sha256.h"

namespace paddock {
namespace {

struct Store : testing::Test {
  std::string state;

  void SetUp() override {
    std::string place = testing::TempDir() + "paddock-store-XXXXXX";
    ASSERT_NE(::mkdtemp(place.data()), nullptr);
    state = place + "/state";
  }
  void TearDown() override { std::filesystem::remove_all(std::filesystem::path(state).parent_path()); }

  static void age(const std::string& path, time_t seconds) {
    const timespec times[2] = {{::time(nullptr) - seconds, 0}, {::time(nullptr) - seconds, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW), 0);
  }
  static std::string refusal(const std::string& path) {
    const auto text = load_wrapped(path);
    return text.ok() ? "" : text.failure().message;
  }
};

TEST_F(Store, GivesBackWhatWasStoredUnderItsDigest) {
  const StoredPlace stored = store_wrapped(state, "a text").value();
  EXPECT_EQ(stored.path, state + "/wrap/" + sha256_hex("a text"));
  EXPECT_EQ(load_wrapped(stored.path).value(), "a text");
  EXPECT_EQ(store_wrapped(state, "a text")->path, stored.path);
  struct stat status {};
  ASSERT_EQ(::stat(stored.path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
  ASSERT_EQ(::stat((state + "/wrap").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700u);
}

TEST_F(Store, RefusesWhatHasExpiredAndWhatIsStoredAgainLives) {
  const StoredPlace stored = store_wrapped(state, "a text").value();
  age(stored.path, wrapped_lifetime_s + 1);
  EXPECT_NE(refusal(stored.path).find("expired"), std::string::npos);
  EXPECT_TRUE(store_wrapped(state, "a text").ok());
  EXPECT_EQ(refusal(stored.path), "");
  ::unlink(stored.path.c_str());
  EXPECT_NE(refusal(stored.path).find("expired"), std::string::npos);
}

TEST_F(Store, RefusesWhatIsNotAsItWasStored) {
  const StoredPlace stored = store_wrapped(state, "a text").value();
  ASSERT_TRUE(write_file(stored.path, "another").ok());
  EXPECT_NE(refusal(stored.path).find("not what was stored"), std::string::npos);
  ASSERT_TRUE(write_file(stored.path, "a text", 0640).ok());
  EXPECT_NE(refusal(stored.path).find("others"), std::string::npos);
  ::unlink(stored.path.c_str());
  ASSERT_EQ(::symlink("/etc/passwd", stored.path.c_str()), 0);
  EXPECT_NE(refusal(stored.path), "");
  for (const char* path : {"", "relative", "/", "/etc/passwd", "/x/../y"}) EXPECT_NE(refusal(path), "") << path;
}

TEST_F(Store, RefusesADirectoryThatOthersCanEnter) {
  const StoredPlace stored = store_wrapped(state, "a text").value();
  ASSERT_EQ(::chmod((state + "/wrap").c_str(), 0755), 0);
  EXPECT_NE(refusal(stored.path), "");
  EXPECT_FALSE(store_wrapped(state, "a text").ok());
  ASSERT_EQ(::chmod((state + "/wrap").c_str(), 0700), 0);
}

TEST_F(Store, ClearsUpWhatHasExpiredAndNothingElse) {
  const StoredPlace kept = store_wrapped(state, "kept").value();
  const StoredPlace old = store_wrapped(state, "old").value();
  const std::vector<std::string> gone{old.path, findings_of(old.path), old.path + ".AbCdEf"};
  const std::string another = state + "/wrap/notes";
  for (const std::string& path : {gone[1], gone[2], another}) ASSERT_TRUE(write_file(path, "x").ok());
  for (const std::string& path : {gone[0], gone[1], gone[2], another, state + "/wrap/collected"}) age(path, 3 * wrapped_lifetime_s);
  ASSERT_TRUE(store_wrapped(state, "kept").ok());
  for (const std::string& path : gone) EXPECT_FALSE(std::filesystem::exists(path)) << path;
  EXPECT_TRUE(std::filesystem::exists(another));
  EXPECT_TRUE(std::filesystem::exists(kept.path));
}

TEST_F(Store, LimitsTheFileOfFindings) {
  const StoredPlace stored = store_wrapped(state, "a text").value();
  const std::string line(findings_bytes_max / 4, 'x');
  for (int i = 0; i < 8; ++i) report_finding(findings_of(stored.path), line);
  EXPECT_EQ(std::filesystem::file_size(findings_of(stored.path)), findings_bytes_max);
  std::filesystem::remove(findings_of(stored.path));
  ASSERT_EQ(::symlink((state + "/elsewhere").c_str(), findings_of(stored.path).c_str()), 0);
  report_finding(findings_of(stored.path), "x");
  EXPECT_FALSE(std::filesystem::exists(state + "/elsewhere"));
}

}  // namespace
}  // namespace paddock
