// What is masked, hidden or not granted, by every way back to it.
//   masked=PATH    a masked file or directory    canary=TEXT  what is in it
//   hidden=PATH    a path of the host that was never granted
//   scratch=PATH   a writable directory          handle=HEX   a file handle that the host made of a hidden file
#include "attempt.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace attack {
namespace {

struct Target {
  std::string path;
  std::string canary;
};

// Looks for the canary in the file, or in what the directory holds, two levels deep.
bool shows(const std::string& path, const std::string& canary, int depth = 0) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) return false;
  if (S_ISREG(status.st_mode)) return read_file(path).find(canary) != std::string::npos;
  if (!S_ISDIR(status.st_mode) || depth > 2) return false;
  for (const std::string& name : entries_of(path)) {
    if (shows(path + "/" + name, canary, depth + 1)) return true;
  }
  return false;
}

Outcome shown(const Target& target, const std::string& at) { return escaped_if(shows(at, target.canary), at); }

void attack_mounts(const Target& target, const std::string& prefix, const std::string& scratch, bool nested) {
  const auto tried = [&](const char* name, const std::function<Outcome()>& body) {
    if (nested) attempt_nested(prefix + "nested-" + name, body, CLONE_NEWNS);
    else attempt(prefix + name, body);
  };
  const std::string at = scratch + "/at";
  tried("umount", [&] {
    ::umount2(target.path.c_str(), 0);
    ::umount2(target.path.c_str(), MNT_DETACH);
    return shown(target, target.path);
  });
  tried("umount-parent", [&] {
    ::umount2(target.path.substr(0, target.path.rfind('/')).c_str(), MNT_DETACH);
    return shown(target, target.path);
  });
  tried("bind", [&] {
    ::mkdir(at.c_str(), 0755);
    // A bind that is not recursive leaves the covering mounts behind.
    ::mount(target.path.substr(0, target.path.rfind('/')).c_str(), at.c_str(), nullptr, MS_BIND, nullptr);
    return shown(target, at);
  });
  tried("move", [&] {
    ::mkdir(at.c_str(), 0755);
    ::mount(target.path.c_str(), at.c_str(), nullptr, MS_MOVE, nullptr);
    return shown(target, target.path);
  });
  tried("overlay", [&] {
    ::mkdir(at.c_str(), 0755);
    const std::string text = "userxattr,lowerdir=" + target.path.substr(0, target.path.rfind('/')) + ":/tmp";
    ::mount("overlay", at.c_str(), "overlay", MS_RDONLY, text.c_str());
    return shown(target, at);
  });
  tried("open_tree", [&] {
    const long tree = ::syscall(SYS_open_tree, AT_FDCWD, target.path.substr(0, target.path.rfind('/')).c_str(), OPEN_TREE_CLONE);
    if (tree < 0) return held();
    return escaped("cloned a tree");
  });
  tried("remount-root", [&] {
    if (::mount(nullptr, "/", nullptr, MS_REMOUNT | MS_BIND, nullptr) == 0) return escaped("remounted / writable");
    return held();
  });
  tried("pivot_root", [&] { return escaped_if(::syscall(SYS_pivot_root, ".", ".") == 0, "pivoted"); });
  tried("setns", [&] {
    const int ns = ::open("/proc/1/ns/mnt", O_RDONLY);
    return escaped_if(ns >= 0 && ::setns(ns, 0) == 0, "entered");
  });
}

void attack_paths(const Target& target, const std::string& prefix, const std::string& scratch) {
  const auto tried = [&](const char* name, const std::function<Outcome()>& body) { attempt(prefix + name, body); };
  tried("plain", [&] { return shown(target, target.path); });
  tried("dots", [&] { return shown(target, scratch + "/../" + target.path); });
  tried("root-link", [&] { return shown(target, "/proc/self/root" + target.path); });
  tried("pid1-root", [&] { return shown(target, "/proc/1/root" + target.path); });
  tried("pid1-cwd", [&] { return shown(target, "/proc/1/cwd" + target.path); });
  tried("symlink", [&] {
    const std::string link = scratch + "/link-" + std::to_string(::getpid());
    ::symlink(target.path.c_str(), link.c_str());
    return shown(target, link);
  });
  tried("hard-link", [&] {
    const std::string link = scratch + "/hard-" + std::to_string(::getpid());
    if (::link(target.path.c_str(), link.c_str()) != 0) return held();
    return shown(target, link);
  });
  tried("rename-mask", [&] {
    const std::string aside = scratch + "/moved-" + std::to_string(::getpid());
    if (::rename(target.path.c_str(), aside.c_str()) != 0) return held();
    return escaped("renamed a mask");
  });
  tried("chroot", [&] {
    if (::chroot(scratch.c_str()) != 0) return held();
    for (int i = 0; i < 40; ++i) [[maybe_unused]] const int went = ::chdir("..");
    return shown(target, "." + target.path);
  });
  attempt_nested(prefix + "nested-chroot", [&] {
    const int here = ::open("/", O_RDONLY | O_DIRECTORY);
    if (::chroot(scratch.c_str()) != 0 || ::fchdir(here) != 0) return held();
    for (int i = 0; i < 40; ++i) [[maybe_unused]] const int went = ::chdir("..");
    return shown(target, "." + target.path);
  });
  for (const char* snapshots : {".zfs/snapshot", ".snapshot", ".snap", ".snapshots"}) {
    tried(snapshots, [&] { return shown(target, target.path.substr(0, target.path.rfind('/')) + "/" + snapshots); });
  }
}

// struct file_handle, as the host took it of the hidden file.
struct Handle {
  unsigned bytes;
  int type;
  unsigned char data[128];
};

Outcome opens_handle(const std::string& hex, const std::string& scratch) {
  Handle handle{};
  handle.type = static_cast<int>(std::strtol(hex.c_str(), nullptr, 10));
  const std::string digits = hex.substr(hex.find(':') + 1);
  handle.bytes = static_cast<unsigned>(digits.size() / 2);
  for (unsigned i = 0; i < handle.bytes && i < sizeof handle.data; ++i) handle.data[i] = static_cast<unsigned char>(std::strtol(digits.substr(i * 2, 2).c_str(), nullptr, 16));
  const int place = ::open(scratch.c_str(), O_RDONLY | O_DIRECTORY);
  const long fd = ::syscall(SYS_open_by_handle_at, place, &handle, O_RDONLY);
  return escaped_if(fd >= 0, "opened a file by its handle");
}

Outcome reads_raw_disk(const std::string& scratch) {
  const std::string node = scratch + "/disk";
  struct stat status;
  if (::stat(scratch.c_str(), &status) != 0) return held();
  if (::mknod(node.c_str(), S_IFBLK | 0600, status.st_dev) != 0) return held();
  return escaped_if(::open(node.c_str(), O_RDONLY) >= 0, "the disk itself");
}

}  // namespace

void maskback(const Options& options) {
  const std::string scratch = options.one("scratch", "/tmp");
  const std::string canary = options.one("canary");
  int count = 0;
  for (const char* kind : {"masked", "hidden"}) {
    for (const std::string& path : options.all(kind)) {
      const Target target{path, canary};
      const std::string prefix = std::string(kind) + std::to_string(count++) + "/";
      attack_paths(target, prefix, scratch);
      attack_mounts(target, prefix, scratch, false);
      attack_mounts(target, prefix, scratch, true);
    }
  }
  for (const std::string& alias : options.all("alias")) attempt("alias/" + alias.substr(alias.rfind('/') + 1), [&] { return shown({alias, canary}, alias); });
  for (const std::string& handle : options.all("handle")) {
    attempt("handle", [&] { return opens_handle(handle, scratch); });
    attempt_nested("nested-handle", [&] { return opens_handle(handle, scratch); });
  }
  attempt("raw-disk", [&] { return reads_raw_disk(scratch); });
}

}  // namespace attack
