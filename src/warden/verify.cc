#include "warden/verify.h"

#include <linux/capability.h>
#include <linux/fcntl.h>
#include <linux/prctl.h>

#include "sys/calls.h"

namespace paddock::warden {
namespace {

using namespace protocol;

constexpr unsigned kind_mask = 0170000;       // S_IFMT
constexpr unsigned kind_directory = 0040000;  // S_IFDIR

struct Opened {
  explicit Opened(sys::Word opened) : fd(opened) {}
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() {
    if (fd >= 0) sys::close(static_cast<int>(fd));
  }
  sys::Word fd;
};

sys::Word open_without_links(const char* path, unsigned long flags) {
  open_how how{};
  how.flags = flags | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS;
  return sys::openat2(sys::at_fdcwd, path, how);
}

// A directory with nothing but "." and "..".
bool is_empty_directory(const char* path) {
  const Opened directory(open_without_links(path, O_RDONLY | O_DIRECTORY));
  // Unreadable is as good: it was made so, and nothing can be listed.
  if (directory.fd < 0) return directory.fd == -13;  // EACCES
  char entries[256];
  const sys::Word n = sys::getdents64(static_cast<int>(directory.fd), entries, sizeof entries);
  // "." and ".." take 24 bytes each (linux_dirent64, 8-aligned).
  return n >= 0 && n <= 48;
}

bool differs(const Check& check, const char* path, const struct statx& status, long mount_flags) {
  const bool is_directory = (status.stx_mode & kind_mask) == kind_directory;
  const bool is_root = (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
  const bool read_only = (mount_flags & sys::mount_read_only) != 0;
  const U64 device = static_cast<U64>(status.stx_dev_major) << 32 | status.stx_dev_minor;
  if ((check.flags & check_directory) != 0 && !is_directory) return true;
  if ((check.flags & check_directory) == 0 && is_directory) return true;
  if ((check.flags & check_mount_root) != 0 && !is_root) return true;
  if ((check.flags & check_read_only) != 0 && !read_only) return true;
  if ((check.flags & check_writable) != 0 && read_only) return true;
  if ((check.flags & check_identity) != 0 && (device != check.device || status.stx_ino != check.inode)) return true;
  if ((check.flags & check_empty) == 0) return false;
  return is_directory ? !is_empty_directory(path) : status.stx_size != 0;
}

}  // namespace

Difference verify_mounts(const void* mapped, const Brief& brief) {
  const Check* checks = table<Check>(mapped, brief.checks);
  for (unsigned i = 0; i < brief.checks.count; ++i) {
    const char* path = text(mapped, checks[i].path);
    const Opened place(open_without_links(path, O_PATH | O_NOFOLLOW));
    if (place.fd < 0) return {true, i, static_cast<int>(-place.fd)};
    struct statx status;
    sys::StatFs mount;
    const int fd = static_cast<int>(place.fd);
    sys::Word failed = sys::statx(fd, "", sys::at_empty_path, STATX_BASIC_STATS, status);
    if (failed == 0) failed = sys::fstatfs(fd, mount);
    if (failed != 0) return {true, i, static_cast<int>(-failed)};
    if (differs(checks[i], path, status, mount.flags)) return {true, i, 0};
  }
  return {};
}

bool is_root_to_the_kernel() {
  // The root of a procfs belongs to the kernel's uid 0 (fs/proc/root.c), and to the overflow id in a user
  // namespace where that is not mapped.
  struct statx status;
  if (sys::statx(sys::at_fdcwd, "/proc", 0, STATX_UID, status) != 0) return true;
  return status.stx_uid == static_cast<unsigned>(sys::getuid());
}

Difference verify_namespaces(const Brief& brief) {
  for (unsigned i = 0; i < namespace_kinds; ++i) {
    if (brief.outer_namespaces[i] == 0) continue;
    struct statx status;
    const sys::Word failed = sys::statx(sys::at_fdcwd, namespace_paths[i], 0, STATX_INO, status);
    if (failed != 0) return {true, i, static_cast<int>(-failed)};
    if (status.stx_ino == brief.outer_namespaces[i]) return {true, i, 0};
  }
  return {};
}

Remainder remaining_privileges() {
  if (sys::getpid() != 1) return Remainder::not_first_process;
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3]{};
  if (sys::capget(&header, sets) != 0) return Remainder::capability;
  for (const __user_cap_data_struct& set : sets) {
    if ((set.effective | set.permitted | set.inheritable) != 0) return Remainder::capability;
  }
  for (unsigned long capability = 0; capability < 64; ++capability) {
    const sys::Word bounded = sys::prctl(PR_CAPBSET_READ, capability);
    if (bounded < 0) break;  // EINVAL: above the last one of this kernel
    if (bounded != 0) return Remainder::bounding_set;
  }
  return Remainder::none;
}

}  // namespace paddock::warden
