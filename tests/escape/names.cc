// Protected and masked names, by everything that the file system offers: writing, replacing, moving
// the name or what it lies in, links of both kinds, and names that are not there yet. The driver
// compares the host before and after; what a call tells is told here.
//   protected=PATH  a file that must stay as it is     ancestor=PATH  a directory above one
//   scratch=PATH    a writable directory beside them
#include "attempt.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace attack {
namespace {

// Proof only: what an attack took or changed is put back before the next one.
bool put_back = false;

constexpr std::string_view evil = "#!/bin/sh\necho evil\n";

std::string last(const std::string& path) { return path.substr(path.rfind('/') + 1); }
std::string parent(const std::string& path) { return path.substr(0, path.rfind('/')); }

void restore(const std::string& file) {
  if (!put_back) return;
  ::unlink(file.c_str());
  ::mkdir(parent(file).c_str(), 0755);
  write_file(file, "as before\n", O_WRONLY | O_CREAT | O_TRUNC);
}

std::string prepared(const std::string& scratch) {
  const std::string path = scratch + "/evil-" + std::to_string(::getpid());
  write_file(path, evil, O_WRONLY | O_CREAT | O_TRUNC, 0755);
  return path;
}

int exchange(const std::string& a, const std::string& b) { return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), 2u)); }

void attack_file(const std::string& path, const std::string& scratch) {
  const auto tried = [&](const char* name, const std::function<bool()>& act) {
    restore(path);
    attempt(last(path) + "/" + name, [&] { return escaped_if(act(), path); });
  };
  tried("write", [&] { return write_file(path, evil, O_WRONLY); });
  tried("append", [&] { return write_file(path, evil, O_WRONLY | O_APPEND); });
  tried("truncate-open", [&] { return ::open(path.c_str(), O_RDONLY | O_TRUNC) >= 0; });
  tried("truncate", [&] { return ::truncate(path.c_str(), 0) == 0; });
  tried("unlink", [&] { return ::unlink(path.c_str()) == 0; });
  tried("rename-over", [&] { return ::rename(prepared(scratch).c_str(), path.c_str()) == 0; });
  tried("rename-away", [&] { return ::rename(path.c_str(), (scratch + "/taken").c_str()) == 0; });
  tried("exchange", [&] { return exchange(path, prepared(scratch)) == 0; });
  tried("link-over", [&] { return ::unlink(path.c_str()) == 0 && ::link(prepared(scratch).c_str(), path.c_str()) == 0; });
  tried("symlink-swap", [&] { return ::unlink(path.c_str()) == 0 && ::symlink("/tmp/x", path.c_str()) == 0; });
  tried("hard-link-and-write", [&] {
    const std::string other = scratch + "/hard-" + last(path);
    if (::link(path.c_str(), other.c_str()) != 0) return false;
    return write_file(other, evil, O_WRONLY);
  });
  tried("hard-link-by-descriptor", [&] {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const std::string other = scratch + "/hard-fd-" + last(path);
    if (::linkat(AT_FDCWD, ("/proc/self/fd/" + std::to_string(fd)).c_str(), AT_FDCWD, other.c_str(), AT_SYMLINK_FOLLOW) != 0) return false;
    return write_file(other, evil, O_WRONLY);
  });
  tried("reopen-by-descriptor", [&] {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    return write_file("/proc/self/fd/" + std::to_string(fd), evil, O_WRONLY);
  });
  tried("map-shared", [&] {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    return ::mmap(nullptr, 4096, PROT_WRITE, MAP_SHARED, fd, 0) != MAP_FAILED;
  });
  tried("chmod", [&] { return ::chmod(path.c_str(), 0777) == 0; });
  tried("utimes", [&] { return ::utimes(path.c_str(), nullptr) == 0; });
  tried("xattr", [&] { return ::setxattr(path.c_str(), "user.evil", "x", 1, 0) == 0; });
  tried("by-relative-path", [&] {
    return ::chdir(parent(path).c_str()) == 0 && write_file("./" + last(path), evil, O_WRONLY);
  });
  tried("by-root-link", [&] { return write_file("/proc/self/root" + path, evil, O_WRONLY); });
  tried("by-cwd-link", [&] { return ::chdir(parent(path).c_str()) == 0 && write_file("/proc/self/cwd/" + last(path), evil, O_WRONLY); });
  attempt_nested(last(path) + "/nested-write", [&] { return escaped_if(write_file(path, evil, O_WRONLY), path); });
}

void attack_ancestor(const std::string& path, const std::string& scratch) {
  const auto tried = [&](const char* name, const std::function<bool()>& act) {
    restore(path + "/key");
    attempt(last(path) + "/ancestor-" + name, [&] { return escaped_if(act(), path); });
  };
  const std::string aside = scratch + "/aside-" + last(path);
  const std::string beside = path + ".aside";
  tried("rename", [&] { return ::rename(path.c_str(), aside.c_str()) == 0; });
  tried("rename-beside", [&] { return ::rename(path.c_str(), beside.c_str()) == 0; });
  tried("exchange", [&] {
    ::mkdir(aside.c_str(), 0755);
    return exchange(path, aside) == 0;
  });
  tried("rename-over", [&] {
    const std::string other = scratch + "/empty-" + last(path);
    ::mkdir(other.c_str(), 0755);
    return ::rename(other.c_str(), path.c_str()) == 0;
  });
  tried("rmdir", [&] { return ::rmdir(path.c_str()) == 0; });
  tried("symlink-swap", [&] { return ::rename(path.c_str(), aside.c_str()) == 0 && ::symlink(aside.c_str(), path.c_str()) == 0; });
  attempt_nested(last(path) + "/ancestor-nested-rename", [&] { return escaped_if(::rename(path.c_str(), aside.c_str()) == 0, path); });
}

// Many threads of the same wish: a window in which the name is free would show.
Outcome races(const std::string& path, const std::string& scratch, long rounds) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (;;) {
      ::rename(path.c_str(), (scratch + "/gone").c_str());
      ::mkdir(path.c_str(), 0755);
    }
  }
  bool escaped_once = false;
  for (long i = 0; i < rounds && !escaped_once; ++i) {
    const std::string file = prepared(scratch);
    escaped_once = exchange(file, path) == 0 || ::rename(file.c_str(), path.c_str()) == 0;
  }
  ::kill(child, SIGKILL);
  return escaped_if(escaped_once, path);
}

}  // namespace

void names(const Options& options) {
  const std::string scratch = options.one("scratch", "/tmp");
  put_back = options.number("proof") != 0;
  for (const std::string& path : options.all("protected")) attack_file(path, scratch);
  for (const std::string& path : options.all("ancestor")) attack_ancestor(path, scratch);
  for (const std::string& path : options.all("protected")) {
    attempt(last(path) + "/race", [&] { return races(path, scratch, options.number("rounds", 2000)); });
  }
}

}  // namespace attack
