#include "base/place.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/path.h"

namespace paddock {

Place open_place(const std::string& path) {
  Place place{Fd(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)), path::name(path), {}};
  for (const std::string& prefix : path::ancestors_and_self(path::parent(path))) {
    if (prefix == "/") continue;
    const std::string part = path::name(prefix);
    struct stat status {};
    if (::fstatat(place.parent.get(), part.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode)) place.link = prefix;
    place.parent = Fd(::openat(place.parent.get(), part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!place.parent.valid()) break;
  }
  return place;
}

}  // namespace paddock
