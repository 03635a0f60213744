// What can be done through the descriptors that came along: reopened for more than they allow, made
// names of, walked out of. The driver compares the files of the host before and after.
//   scratch=PATH  a writable directory    canary=TEXT  in a file that only a leaked descriptor reaches
#include "attempt.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace attack {
namespace {

std::string link_of(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

bool is_kind(int fd, mode_t kind) {
  struct stat status;
  return ::fstat(fd, &status) == 0 && (status.st_mode & S_IFMT) == kind;
}

// Read-only or append-only descriptors of files, made into more.
void attack_file(int fd, const std::string& scratch) {
  const std::string prefix = "fd" + std::to_string(fd) + "/";
  const int flags = ::fcntl(fd, F_GETFL);
  const bool readable = (flags & O_ACCMODE) != O_WRONLY;
  const bool writable = (flags & O_ACCMODE) != O_RDONLY;
  const auto tried = [&](const char* name, const std::function<Outcome()>& body) { attempt(prefix + name, body); };
  if (!writable) {
    tried("reopen-write", [&] { return escaped_if(::open(link_of(fd).c_str(), O_WRONLY) >= 0, "for writing"); });
    tried("reopen-both", [&] { return escaped_if(::open(link_of(fd).c_str(), O_RDWR) >= 0, "for both"); });
    tried("dev-fd", [&] { return escaped_if(::open(("/dev/fd/" + std::to_string(fd)).c_str(), O_RDWR) >= 0, "by /dev/fd"); });
    tried("truncate", [&] { return escaped_if(::truncate(link_of(fd).c_str(), 0) == 0 || ::ftruncate(fd, 0) == 0, "emptied"); });
    tried("reopen-truncate", [&] { return escaped_if(::open(link_of(fd).c_str(), O_RDONLY | O_TRUNC) >= 0, "emptied"); });
    tried("map-shared", [&] { return escaped_if(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) != MAP_FAILED, "mapped"); });
  }
  if (!readable) tried("reopen-read", [&] { return escaped_if(::open(link_of(fd).c_str(), O_RDONLY) >= 0, "for reading"); });
  if (writable && (flags & O_APPEND) != 0) {
    tried("append-lost", [&] { return escaped_if(::open(link_of(fd).c_str(), O_WRONLY) >= 0, "without O_APPEND"); });
  }
  tried("name-in-workspace", [&] {
    const std::string name = scratch + "/named-" + std::to_string(fd);
    if (::linkat(AT_FDCWD, link_of(fd).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) return escaped(name);
    return escaped_if(::linkat(fd, "", AT_FDCWD, name.c_str(), AT_EMPTY_PATH) == 0, name);
  });
  tried("chmod", [&] { return escaped_if(::chmod(link_of(fd).c_str(), 0777) == 0 || ::fchmod(fd, 0777) == 0, "mode changed"); });
  tried("xattr", [&] { return escaped_if(::fsetxattr(fd, "user.evil", "x", 1, 0) == 0, "attribute set"); });
}

void attack_directory(int fd) {
  const std::string prefix = "fd" + std::to_string(fd) + "/";
  attempt(prefix + "directory", [&] { return escaped("a directory came along"); });
  attempt(prefix + "walk-out", [&] {
    if (::fchdir(fd) != 0) return held();
    for (int i = 0; i < 40; ++i) [[maybe_unused]] const int went = ::chdir("..");
    return escaped_if(::access("etc/shadow", F_OK) == 0, "the host's root");
  });
}

Outcome finds_leaks(int fds_max) {
  std::string found;
  for (const std::string& name : entries_of("/proc/self/fd")) {
    const int fd = std::atoi(name.c_str());
    char target[256];
    const ssize_t n = ::readlink(link_of(fd).c_str(), target, sizeof target);
    // The directory being listed and the pipe of this attempt are our own.
    if (fd <= 2 || n < 0) continue;
    const std::string where(target, static_cast<std::size_t>(n));
    if (where.find("/fd") != std::string::npos || where.starts_with("pipe:")) continue;
    found += name + "=" + where + " ";
  }
  for (int fd = 16; fd < fds_max; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0) found += std::to_string(fd) + " ";
  }
  return escaped_if(!found.empty(), found);
}

}  // namespace

void fdreopen(const Options& options) {
  const std::string scratch = options.one("scratch", "/tmp");
  attempt("leaks", [&] { return finds_leaks(static_cast<int>(options.number("fds", 4096))); });
  for (int fd = 0; fd < 3; ++fd) {
    if (is_kind(fd, S_IFREG)) attack_file(fd, scratch);
    else if (is_kind(fd, S_IFDIR)) attack_directory(fd);
    else if (is_kind(fd, S_IFBLK)) attempt("fd" + std::to_string(fd) + "/block-device", [] { return escaped("a block device came along"); });
  }
  attempt("terminal", [] {
    for (int fd = 0; fd < 3; ++fd) {
      char target[256];
      const ssize_t n = ::readlink(link_of(fd).c_str(), target, sizeof target - 1);
      if (n <= 0) continue;
      target[n] = '\0';
      // A terminal of another devpts has a name that does not resolve here.
      if (::isatty(fd) != 0 && ::access(target, F_OK) != 0) return escaped(std::string("a foreign terminal: ") + target);
    }
    return held();
  });
}

}  // namespace attack
