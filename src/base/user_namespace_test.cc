#include "base/user_namespace.h"

#include <gtest/gtest.h>
#include <linux/nsfs.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include <cerrno>

namespace paddock {
namespace {

TEST(UserNamespace, IsOneThatNobodyLivesIn) {
  const std::string map = ::geteuid() == 0 ? "0 2013265921 1\n1 1 65535\n" : "";
  if (map.empty()) GTEST_SKIP() << "only root may map other ids";
  const Result<Fd> made = make_user_namespace(map, map);
  ASSERT_TRUE(made.ok()) << made.failure().message;
  uid_t owner = 1;
  EXPECT_EQ(::ioctl(made->get(), NS_GET_OWNER_UID, &owner), 0);
  EXPECT_EQ(owner, ::geteuid());
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG | __WALL), -1);  // its process is reaped
  EXPECT_EQ(errno, ECHILD);
}

TEST(UserNamespace, SaysWhatIsWrongWithAMap) {
  for (const char* map : {"0 0 0\n", "x", "0 1 1\n0 2 1\n"}) {
    const Result<Fd> made = make_user_namespace(map, map);
    ASSERT_FALSE(made.ok()) << map;
    EXPECT_FALSE(made.failure().message.empty());
  }
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG | __WALL), -1);
}

}  // namespace
}  // namespace paddock
