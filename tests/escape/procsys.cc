// Everything in /proc, /sys and /dev that opens for writing, and ways to a second procfs, sysfs or
// cgroup file system. Nothing is written: an open descriptor is the escape.
#include "attempt.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <algorithm>

namespace attack {
namespace {

constexpr int depth_max = 12;
constexpr std::size_t found_max = 20;

bool is_number(const std::string& name) { return name.find_first_not_of("0123456789") == std::string::npos; }

struct Sweep {
  std::vector<std::string> opened;
  unsigned long files = 0;

  void file(const std::string& path) {
    ++files;
    const int fd = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW);
    if (fd < 0) return;
    ::close(fd);
    if (opened.size() < found_max) opened.push_back(path);
  }

  void directory(const std::string& path, int depth) {
    if (depth > depth_max) return;
    for (const std::string& name : entries_of(path)) {
      // A process may write its own entries; those of others are pid1's.
      if (path == "/proc" && (is_number(name) || name == "self" || name == "thread-self")) continue;
      const std::string entry = path + "/" + name;
      struct stat status;
      if (::lstat(entry.c_str(), &status) != 0) continue;
      if (S_ISDIR(status.st_mode)) directory(entry, depth + 1);
      else if (!S_ISLNK(status.st_mode)) file(entry);
    }
  }
};

Outcome sweep(const std::string& top) {
  Sweep all;
  all.directory(top, 0);
  std::string detail;
  for (const std::string& path : all.opened) detail += path + " ";
  if (!detail.empty()) return escaped(detail);
  return {End::held, std::to_string(all.files) + " files"};
}

Outcome sweep_devices() {
  constexpr std::string_view usual[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx", "/dev/pts/ptmx", "/dev/console"};
  Sweep all;
  all.directory("/dev", 0);
  std::string detail;
  for (const std::string& path : all.opened) {
    const bool own_terminal = path.starts_with("/dev/pts/");
    if (std::find(std::begin(usual), std::end(usual), path) == std::end(usual) && !own_terminal) detail += path + " ";
  }
  return escaped_if(!detail.empty(), detail);
}

Outcome opens(const char* path, int flags) {
  const int fd = ::open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return held();
  // kallsyms opens for everybody; without privilege every address in it is 0.
  if (std::string_view(path) == "/proc/kallsyms") return escaped_if(read_file(path, 4096).substr(0, 16) != "0000000000000000", "addresses");
  return escaped(path);
}

Outcome makes_directory(const char* path) { return escaped_if(::mkdir(path, 0755) == 0, path); }

Outcome uncovers(const char* path) {
  if (::umount2(path, MNT_DETACH) == 0) return escaped(std::string("umount ") + path);
  if (::mount(nullptr, path, nullptr, MS_REMOUNT | MS_BIND, nullptr) == 0) return escaped(std::string("remount ") + path);
  return escaped_if(::mount("none", path, nullptr, MS_MOVE, nullptr) == 0, "moved");
}

Outcome mounts(const char* type) {
  ::mkdir("/tmp/m", 0755);
  if (::mount(type, "/tmp/m", type, 0, nullptr) == 0) return escaped(std::string("mounted ") + type);
  const long context = ::syscall(SYS_fsopen, type, 0);
  return escaped_if(context >= 0, std::string("fsopen ") + type);
}

Outcome raises_limits() {
  constexpr __rlimit_resource all[] = {RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_CORE, RLIMIT_MEMLOCK, RLIMIT_NICE, RLIMIT_RTPRIO, RLIMIT_SIGPENDING, RLIMIT_MSGQUEUE};
  for (const __rlimit_resource resource : all) {
    rlimit now{};
    if (::getrlimit(resource, &now) != 0 || now.rlim_max == RLIM_INFINITY) continue;
    const rlimit more{now.rlim_max + 1, now.rlim_max + 1};
    if (::setrlimit(resource, &more) == 0) return escaped("limit " + std::to_string(resource) + " raised");
  }
  return held();
}

// A child namespace whose map claims more than its maker has.
Outcome maps_more(const std::string& map) {
  if (::unshare(CLONE_NEWUSER) != 0) return {End::held, "no nested namespace: " + errno_name()};
  write_file("/proc/self/setgroups", "allow", O_WRONLY);
  return escaped_if(write_file("/proc/self/uid_map", map, O_WRONLY), "uid_map took " + map);
}

void attack_namespaces() {
  constexpr struct { const char* name; int flags; } kinds[] = {
      {"plain", 0}, {"mount", CLONE_NEWNS}, {"pid", CLONE_NEWPID}, {"net", CLONE_NEWNET}, {"pid+net", CLONE_NEWPID | CLONE_NEWNET},
      {"cgroup", CLONE_NEWCGROUP}, {"uts", CLONE_NEWUTS}, {"ipc", CLONE_NEWIPC}, {"mount+pid+net", CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET}};
  for (const auto& kind : kinds) {
    for (const char* type : {"proc", "sysfs", "cgroup", "cgroup2", "tmpfs", "devpts", "mqueue", "debugfs", "overlay", "fuse", "binfmt_misc"}) {
      attempt_nested(std::string("nested-") + kind.name + "/" + type, [&] { return mounts(type); }, kind.flags);
    }
    attempt_nested(std::string("nested-") + kind.name + "/proc-sys", [] { return sweep("/proc/sys"); }, kind.flags);
    attempt_nested(std::string("nested-") + kind.name + "/uncover", [] { return uncovers("/proc/sys"); }, kind.flags);
    attempt_nested(std::string("nested-") + kind.name + "/limits", raises_limits, kind.flags);
  }
}

}  // namespace

void procsys(const Options& options) {
  for (const char* top : {"/proc", "/sys"}) attempt(std::string("sweep") + top, [&] { return sweep(top); });
  attempt("sweep/dev", sweep_devices);
  for (const char* path : {"/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/proc/sys/vm/drop_caches", "/proc/irq/default_smp_affinity"}) {
    attempt(std::string("open") + path, [&] { return opens(path, O_WRONLY); });
  }
  for (const char* path : {"/proc/kcore", "/proc/kmsg", "/proc/kallsyms", "/dev/mem", "/dev/kmsg", "/dev/vda", "/dev/sda", "/dev/kvm", "/dev/fuse", "/dev/net/tun"}) {
    attempt(std::string("read") + path, [&] { return opens(path, O_RDONLY); });
  }
  for (const char* path : {"/sys/fs/cgroup/escaped", "/sys/fs/cgroup/unified/escaped", "/sys/fs/cgroup/pids/escaped", "/sys/escaped", "/proc/escaped"}) {
    attempt(std::string("mkdir") + path, [&] { return makes_directory(path); });
  }
  for (const char* path : {"/proc/sys", "/proc/sysrq-trigger", "/proc", "/sys", "/"}) attempt(std::string("uncover") + path, [&] { return uncovers(path); });
  for (const char* type : {"proc", "sysfs", "cgroup", "cgroup2", "tmpfs"}) attempt(std::string("mount/") + type, [&] { return mounts(type); });
  attempt("limits", raises_limits);
  for (const char* map : {"0 0 1", "0 0 65536", "0 0 4294967295", "1000 0 1"}) {
    // Where the payload is that very id, mapping it is its right.
    if (std::string(map) == "0 0 1" && ::geteuid() == 0) continue;
    attempt(std::string("uid_map/") + map, [&] { return maps_more(map); });
  }
  if (options.number("nested", 1) != 0) attack_namespaces();
}

}  // namespace attack
