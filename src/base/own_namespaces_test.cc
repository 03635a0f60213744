#include "base/own_namespaces.h"

#include <sys/stat.h>

#include <string>

#include <gtest/gtest.h>

namespace paddock {
namespace {

TEST(OwnNamespaces, AreThoseThatProcNames) {
  const char* names[own_namespace_kinds] = {"user", "pid", "ipc", "uts", "mnt", "net"};
  EXPECT_EQ(own_namespaces().error, 0);
  for (unsigned kind = 0; kind < own_namespace_kinds; ++kind) {
    struct stat status {};
    ASSERT_EQ(::stat((std::string("/proc/self/ns/") + names[kind]).c_str(), &status), 0);
    EXPECT_EQ(own_namespaces().inodes[kind], status.st_ino) << names[kind];
  }
}

}  // namespace
}  // namespace paddock
