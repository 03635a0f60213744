#include "warden/verify.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "protocol/brief_writer.h"

namespace paddock::warden {
namespace {

using namespace protocol;

class VerifyMounts : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/paddock-verify-XXXXXX";
    root_ = ::mkdtemp(name);
    std::ofstream(root_ + "/file") << "x";
    std::ofstream(root_ + "/empty");
    ::mkdir((root_ + "/directory").c_str(), 0700);
    ::symlink("file", (root_ + "/link").c_str());
    ::symlink("directory", (root_ + "/through").c_str());
    std::ofstream(root_ + "/directory/inner") << "x";
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  Difference verify(const std::string& name, U32 flags, bool right_inode = true) {
    struct stat status {};
    ::stat((root_ + name).c_str(), &status);
    BriefInput input;
    const U64 device = static_cast<U64>(major(status.st_dev)) << 32 | minor(status.st_dev);
    input.checks = {{root_ + name, device, status.st_ino + (right_inode ? 0 : 1), flags, 0}};
    const std::string bytes = write_brief(input);
    const Brief* brief = open_brief(bytes.data(), bytes.size());
    EXPECT_NE(brief, nullptr);
    return verify_mounts(bytes.data(), *brief);
  }

  std::string root_;
};

TEST_F(VerifyMounts, AcceptsWhatIsAsRecorded) {
  EXPECT_FALSE(verify("/file", check_identity).found);
  EXPECT_FALSE(verify("/directory", check_identity | check_directory | check_writable).found);
  EXPECT_FALSE(verify("/empty", check_empty).found);
}

TEST_F(VerifyMounts, SeesAnotherFileAtTheSamePath) { EXPECT_TRUE(verify("/file", check_identity, false).found); }

TEST_F(VerifyMounts, SeesALinkAtTheEndAndOnTheWay) {
  EXPECT_TRUE(verify("/link", check_identity).found);
  EXPECT_TRUE(verify("/through/inner", check_identity).found);
}

TEST_F(VerifyMounts, SeesAnotherKind) {
  EXPECT_TRUE(verify("/file", check_directory).found);
  EXPECT_TRUE(verify("/directory", 0).found);
}

TEST_F(VerifyMounts, SeesWhatIsNotMountedThere) { EXPECT_TRUE(verify("/directory", check_directory | check_mount_root).found); }
TEST_F(VerifyMounts, SeesWhatIsWritableThatShouldNotBe) { EXPECT_TRUE(verify("/file", check_read_only).found); }
TEST_F(VerifyMounts, SeesAMaskThatShowsSomething) {
  EXPECT_TRUE(verify("/file", check_empty).found);
  EXPECT_TRUE(verify("/directory", check_directory | check_empty).found);
}

TEST_F(VerifyMounts, NamesTheErrorOfAnAbsentPath) {
  const Difference difference = verify("/absent", 0);
  EXPECT_TRUE(difference.found);
  EXPECT_EQ(difference.number, ENOENT);
}

TEST(Privileges, AreSeenInAnOrdinaryProcess) { EXPECT_EQ(remaining_privileges(), Remainder::not_first_process); }

class VerifyNamespaces : public testing::Test {
 protected:
  static U64 inode_of(U32 kind) {
    struct stat status {};
    EXPECT_EQ(::stat(namespace_paths[kind], &status), 0);
    return status.st_ino;
  }
};

TEST_F(VerifyNamespaces, AcceptsOthersThanTheOutsides) {
  Brief brief;
  for (U32 i = 0; i < namespace_kinds; ++i) brief.outer_namespaces[i] = inode_of(i) + 1;
  EXPECT_FALSE(verify_namespaces(brief).found);
}

TEST_F(VerifyNamespaces, AsksForNoneThatTheBriefLeavesOut) { EXPECT_FALSE(verify_namespaces(Brief{}).found); }

TEST_F(VerifyNamespaces, NamesEachThatIsTheOutsides) {
  for (U32 i = 0; i < namespace_kinds; ++i) {
    Brief brief;
    brief.outer_namespaces[i] = inode_of(i);
    const Difference difference = verify_namespaces(brief);
    EXPECT_TRUE(difference.found);
    EXPECT_EQ(difference.index, i);
    EXPECT_EQ(difference.number, 0);
  }
}

}  // namespace
}  // namespace paddock::warden
