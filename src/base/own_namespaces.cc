#include "base/own_namespaces.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "base/fd.h"

namespace paddock {
namespace {

OwnNamespaces look() {
  constexpr const char* names[own_namespace_kinds] = {"user", "pid", "ipc", "uts", "mnt", "net"};
  OwnNamespaces own;
  const Fd directory(::open("/proc/self/ns", O_PATH | O_DIRECTORY | O_CLOEXEC));
  for (unsigned kind = 0; kind < own_namespace_kinds; ++kind) {
    struct stat status {};
    if (directory.valid() && ::fstatat(directory.get(), names[kind], &status, 0) == 0) own.inodes[kind] = status.st_ino;
    else if (own.error == 0) own.error = errno;
  }
  return own;
}

}  // namespace

const OwnNamespaces& own_namespaces() {
  static const OwnNamespaces own = look();
  return own;
}

}  // namespace paddock
