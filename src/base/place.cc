#include "base/place.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "base/path.h"

namespace paddock {
namespace {

// Where a kernel refuses the whole walk: step by step, to tell which component is a link.
void walk_to_parent(const std::string& path, Place& place) {
  place.parent = Fd(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  for (const std::string& prefix : path::ancestors_and_self(path::parent(path))) {
    if (prefix == "/") continue;
    const std::string part = path::name(prefix);
    struct stat status {};
    if (::fstatat(place.parent.get(), part.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode)) place.link = prefix;
    place.parent = Fd(::openat(place.parent.get(), part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!place.parent.valid()) break;
  }
}

Fd open_in_one_call(const std::string& path, int flags) {
  open_how how{};
  how.flags = static_cast<unsigned>(flags | O_CLOEXEC);
  how.resolve = RESOLVE_NO_SYMLINKS;
  return Fd(static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how)));
}

}  // namespace

Place open_place(const std::string& path) {
  Place place{open_in_one_call(path::parent(path), O_PATH | O_DIRECTORY), path::name(path), {}};
  // ELOOP: a link on the way, openat2(2). ENOENT and ENOTDIR: the walk ended before it met one.
  if (!place.parent.valid() && errno != ENOENT && errno != ENOTDIR) walk_to_parent(path, place);
  return place;
}

Fd open_without_links(const std::string& path, int flags) {
  Fd fd = open_in_one_call(path, flags);
  // A system call filter answers as an older kernel does.
  if (fd.valid() || (errno != ENOSYS && errno != EPERM)) return fd;
  Place place{{}, path::name(path), {}};
  walk_to_parent(path, place);
  if (!place.link.empty()) errno = ELOOP;
  if (!place.parent.valid() || !place.link.empty()) return {};
  return Fd(::openat(place.parent.get(), place.name.c_str(), flags | O_CLOEXEC | O_NOFOLLOW));
}

}  // namespace paddock
