#include "base/namespace_trial.h"

#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "base/file.h"

namespace paddock {
namespace {

TEST(NamespaceTrial, LeavesThisProcessAsItIs) {
  char before[256] = {}, after[256] = {};
  ::gethostname(before, sizeof before - 1);
  const pid_t pid = ::getpid();
  (void)try_namespaces(CLONE_NEWUSER | CLONE_NEWUTS);
  ::gethostname(after, sizeof after - 1);
  EXPECT_STREQ(before, after);
  EXPECT_EQ(::getpid(), pid);
}

TEST(NamespaceTrial, GivesTheKernelsRefusal) {
  // CLONE_NEWUSER excludes CLONE_FS (clone(2)): refused on every machine.
  EXPECT_EQ(try_namespaces(CLONE_NEWUSER | CLONE_FS), EINVAL);
}

TEST(NamespaceTrial, AgreesWithWhatTheKernelSaysItAllows) {
  const auto limit = read_file_if_any("/proc/sys/user/max_user_namespaces");
  if (!limit || !*limit) GTEST_SKIP() << "no user namespaces in this kernel";
  if (std::atol((*limit)->c_str()) == 0) EXPECT_EQ(try_namespaces(CLONE_NEWUSER), ENOSPC);
  else EXPECT_NE(try_namespaces(CLONE_NEWUSER), ENOSPC);
}

}  // namespace
}  // namespace paddock
