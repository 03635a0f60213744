// Which namespaces this process is in (namespaces(7)), looked up once: it never changes them.
#pragma once

#include <cstdint>

namespace paddock {

inline constexpr unsigned own_namespace_kinds = 6;  // user, pid, ipc, uts, mnt, net: in this order
inline constexpr unsigned own_user_namespace = 0, own_mount_namespace = 4;

struct OwnNamespaces {
  std::uint64_t inodes[own_namespace_kinds] = {};  // of nsfs; 0: cannot be told
  int error = 0;                                   // errno of the first that cannot
};

const OwnNamespaces& own_namespaces();

}  // namespace paddock
