#include "backend/shipped.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/sha256.h"

namespace paddock {
namespace {

class ShippedContent : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/paddock-shipped-XXXXXX";
    place_ = ::mkdtemp(name);
    path_ = place_ + "/bwrap";
    write("the program");
  }
  void TearDown() override { std::filesystem::remove_all(place_); }

  void write(std::string_view bytes) { ASSERT_TRUE(write_file(path_, bytes, 0755).ok()); }
  CheckedContent check() const { return check_content(path_, sha256_hex("the program")); }

  std::string place_;
  std::string path_;
};

TEST_F(ShippedContent, IsWhatWasPinned) {
  const CheckedContent checked = check();
  EXPECT_EQ(checked.refusal, "");
  struct stat status {};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(checked.identity, identity_of(status));
  EXPECT_EQ(checked.change, change_of(status));
}

TEST_F(ShippedContent, OneOtherByteIsRefused) {
  write("the Program");
  EXPECT_EQ(check().refusal, path_ + " is not the program that was shipped: its checksum differs");
}

TEST_F(ShippedContent, AChangeInPlaceShowsInTheTimeOfChangeWhateverTheTimeOfModification) {
  const CheckedContent before = check();
  struct stat status {};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  ::usleep(20000);  // longer than the coarsest clock of file systems on Linux ticks (10 ms)
  const Fd file(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
  ASSERT_EQ(::pwrite(file.get(), "T", 1, 0), 1);
  const timespec times[] = {status.st_atim, status.st_mtim};
  ASSERT_EQ(::futimens(file.get(), times), 0);
  const CheckedContent after = check();
  EXPECT_EQ(after.identity, before.identity);
  EXPECT_NE(after.change, before.change);
  EXPECT_NE(after.refusal, "");
}

TEST_F(ShippedContent, WhatIsNoPlainFileIsRefusedAtOnce) {
  std::filesystem::rename(path_, place_ + "/elsewhere");
  EXPECT_NE(check().refusal.find("cannot be read"), std::string::npos);
  std::filesystem::create_symlink("elsewhere", path_);
  EXPECT_NE(check().refusal.find("cannot be read"), std::string::npos);
  std::filesystem::remove(path_);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0644), 0);
  EXPECT_NE(check().refusal.find("is not a file"), std::string::npos);
  std::filesystem::remove(path_);
  std::filesystem::create_directory(path_);
  EXPECT_NE(check().refusal.find("is not a file"), std::string::npos);
}

TEST_F(ShippedContent, AFileWithoutEndIsNotReadToIt) {
  std::filesystem::resize_file(path_, shipped_bytes_max + 1);
  EXPECT_NE(check().refusal.find("checksum differs"), std::string::npos);
}

}  // namespace
}  // namespace paddock
