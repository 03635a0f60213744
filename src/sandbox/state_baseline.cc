#include "sandbox/state_baseline.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"

namespace paddock {
namespace {

constexpr std::size_t baseline_bytes_max = std::size_t{8} << 20;

// The one that ended last may have removed the file between open and lock.
bool is_still_there(const Fd& file, const std::string& place) {
  struct stat held {};
  struct stat named {};
  return ::fstat(file.get(), &held) == 0 && ::lstat(place.c_str(), &named) == 0 && held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

enum class Part { first, another, none };

// Takes the lock: alone where nobody else holds it.
Part join_in(const Fd& file) {
  if (!file.valid()) return Part::none;
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return Part::first;
  return ::flock(file.get(), LOCK_SH) == 0 ? Part::another : Part::none;
}

}  // namespace

StateBaseline::StateBaseline(const std::string& state_directory, const std::string& path, std::string now)
    : place_(path::join(state_directory, "watch/" + path::as_name(path))), text_(std::move(now)) {
  constexpr int tries_max = 10;
  if (!make_private_directories(path::parent(place_)).ok()) return;
  for (int tries = 0; tries < tries_max; ++tries) {
    file_ = Fd(::open(place_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    const Part part = join_in(file_);
    if (part == Part::none) return;
    if (!is_still_there(file_, place_)) continue;
    if (part == Part::first) {
      if (::ftruncate(file_.get(), 0) == 0) (void)write_all(file_.get(), text_);
      ::flock(file_.get(), LOCK_SH);
      return;
    }
    auto kept = read_all(file_.get(), baseline_bytes_max);
    if (kept && !kept->empty()) text_ = std::move(*kept);
    return;
  }
}

StateBaseline::~StateBaseline() {
  if (file_.valid() && ::flock(file_.get(), LOCK_EX | LOCK_NB) == 0 && is_still_there(file_, place_)) ::unlink(place_.c_str());
}

}  // namespace paddock
