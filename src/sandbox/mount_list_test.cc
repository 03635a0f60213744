#include "sandbox/mount_list.h"

#include <gtest/gtest.h>

namespace paddock {
namespace {

constexpr std::string_view listed =
    "23 29 0:22 / /proc rw,nosuid shared:5 - proc proc rw\n"
    "29 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
    "40 29 0:50 /sub /a\\040b\\134c rw master:3 propagate_from:2 - fuse.sshfs u@h:/ rw\n"
    "41 29 0:51 / /w rw - tmpfs none rw\n"
    "42 41 0:52 / /w rw - overlay none rw\n"
    "broken\n"
    "43 29 0:53 / /x rw -\n"
    "44 29 0:53 / /y rw shared:1\n";

TEST(MountList, ReadsPathsAndTypes) {
  const std::vector<MountPoint> wanted{{"/proc", "proc"}, {"/", "ext4"}, {"/a b\\c", "fuse.sshfs"}, {"/w", "tmpfs"}, {"/w", "overlay"}};
  EXPECT_EQ(parse_mounts(listed), wanted);
  EXPECT_TRUE(parse_mounts("").empty());
}

TEST(MountList, FindsTheMountThatHoldsAPath) {
  const std::vector<MountPoint> mounts = parse_mounts(listed);
  EXPECT_EQ(holder_of(mounts, "/a b\\c/d")->type, "fuse.sshfs");
  EXPECT_EQ(holder_of(mounts, "/a")->type, "ext4");
  EXPECT_EQ(holder_of(mounts, "/w/x")->type, "overlay");  // the one on top
  EXPECT_EQ(holder_of({}, "/w"), nullptr);
}

TEST(MountList, KnowsThisMachine) {
  const auto mounts = list_mounts();
  ASSERT_TRUE(mounts.ok());
  EXPECT_EQ(holder_of(*mounts, "/proc/self")->type, "proc");
}

}  // namespace
}  // namespace paddock
