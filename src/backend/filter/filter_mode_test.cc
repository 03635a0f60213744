// Privilege planted in files: every call that can set a set-uid or set-gid bit, or write a file capability.
#include "backend/filter/filter_test_support.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/syscall.h>

namespace paddock {
namespace {

constexpr std::uint64_t high_bit = std::uint64_t{1} << 32U;
constexpr long number_of_fchmodat2 = 452;
constexpr long number_of_setxattrat = 463;

// The call with `mode` where it expects one, and with flags that create.
std::string with_mode(long number, std::uint64_t mode) {
  switch (number) {
    case SYS_open: return judge(full, number, {0, O_CREAT | O_WRONLY, mode});
    case SYS_openat: return judge(full, number, {0, 0, O_CREAT | O_WRONLY, mode});
    case SYS_fchmodat:
    case number_of_fchmodat2:
    case SYS_mkdirat:
    case SYS_mknodat: return judge(full, number, {0, 0, mode});
    default: return judge(full, number, {0, mode});
  }
}

TEST(FilterMode, SetUidAndSetGidAreRefusedByEveryCall) {
  for (const long number : {long{SYS_chmod}, long{SYS_fchmod}, long{SYS_fchmodat}, number_of_fchmodat2, long{SYS_open},
                            long{SYS_openat}, long{SYS_creat}, long{SYS_mkdir}, long{SYS_mkdirat}, long{SYS_mknod},
                            long{SYS_mknodat}}) {
    for (const std::uint64_t mode : {04755U, 02755U, 06777U, 04000U, 02000U, 0104755U}) {
      EXPECT_EQ(with_mode(number, mode), "EPERM") << number << " " << mode;
      EXPECT_EQ(with_mode(number, mode | high_bit), "EPERM") << number << " " << mode;
    }
    for (const std::uint64_t mode : {0U, 0644U, 0755U, 01777U, 0100644U}) {
      EXPECT_EQ(with_mode(number, mode), "allow") << number << " " << mode;
    }
  }
}

TEST(FilterMode, OpenLooksAtTheModeOnlyWhereItMakesAFile) {
  for (const std::uint64_t flags : {O_RDONLY, O_RDWR | O_CLOEXEC, O_DIRECTORY, O_PATH}) {
    EXPECT_EQ(judge(off, SYS_open, {0, flags, 04755}), "allow") << flags;
    EXPECT_EQ(judge(off, SYS_openat, {0, 0, flags, 04755}), "allow") << flags;
  }
  for (const std::uint64_t flags : {O_CREAT, O_CREAT | O_EXCL, O_TMPFILE | O_RDWR, O_TMPFILE | O_CREAT}) {
    EXPECT_EQ(judge(off, SYS_open, {0, flags | high_bit, 04755 | high_bit}), "EPERM") << flags;
    EXPECT_EQ(judge(off, SYS_openat, {0, 0, flags | high_bit, 02755 | high_bit}), "EPERM") << flags;
  }
  EXPECT_EQ(judge(off, SYS_openat2, {}), "ENOSYS");
}

TEST(FilterMode, ExtendedAttributesAreRefusedUnderRealRoot) {
  for (const long number : {long{SYS_setxattr}, long{SYS_lsetxattr}, long{SYS_fsetxattr}, number_of_setxattrat}) {
    for (const TestedVariant& variant : {off, browser, full}) EXPECT_EQ(judge(variant, number, {}), "allow");
    for (const TestedVariant& variant : {off_root, browser_root, full_root}) {
      EXPECT_EQ(judge(variant, number, {}), verdict_text(verdict_errno(ENOTSUP)));
    }
  }
}

}  // namespace
}  // namespace paddock
