// The entries of an open directory, straight from getdents64(2): no allocation, no stat. "." and ".."
// are left out. Order is the file system's.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/fd.h"

namespace paddock {

// struct linux_dirent64, getdents64(2).
struct KernelEntry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t bytes;
  std::uint8_t type;  // DT_*; DT_UNKNOWN where the file system doesn't say
  char name[1];       // ends with NUL
};

inline bool is_dot_name(const char* name) {
  return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

// `at` and `name` as openat(2). Not followed when it is a link; never blocks.
inline Fd open_directory(int at, const char* name) {
  return Fd(::openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
}

// Calls visit(const char* name, unsigned char type) for each entry until it returns false. 0, or errno.
template <typename Visit>
int for_each_entry(int directory, std::span<char> buffer, Visit visit) {
  for (;;) {
    const long n = ::syscall(SYS_getdents64, directory, buffer.data(), buffer.size());
    if (n < 0) return errno;
    if (n == 0) return 0;
    for (long at = 0; at < n;) {
      const auto* entry = reinterpret_cast<const KernelEntry*>(buffer.data() + at);
      const char* name = buffer.data() + at + offsetof(KernelEntry, name);
      at += entry->bytes;
      if (!is_dot_name(name) && !visit(name, entry->type)) return 0;
    }
  }
}

}  // namespace paddock
