#include "host/host_file.h"

#include <fcntl.h>
#include <linux/limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <vector>

#include "base/entries.h"

namespace paddock {
namespace {

bool has_nul(const std::string& path) { return path.find('\0') != std::string::npos; }

FileKind kind_of(std::uint16_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG: return FileKind::file;
    case S_IFDIR: return FileKind::directory;
    case S_IFLNK: return FileKind::link;
    case S_IFSOCK: return FileKind::socket;
    case S_IFIFO: return FileKind::fifo;
    default: return FileKind::device;
  }
}

HostFile ask(const std::string& path, int flags) {
  HostFile file;
  struct statx status {};
  // An embedded NUL names nothing: the kernel would see another, shorter path.
  if (has_nul(path)) return file;
  if (::statx(AT_FDCWD, path.c_str(), flags | AT_NO_AUTOMOUNT, STATX_BASIC_STATS, &status) != 0) {
    const bool is_absent = errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG;
    file.kind = is_absent ? FileKind::absent : FileKind::unreadable;
    return file;
  }
  file.kind = kind_of(status.stx_mode);
  file.identity.device = static_cast<std::uint64_t>(status.stx_dev_major) << 32 | status.stx_dev_minor;
  file.identity.inode = status.stx_ino;
  file.owner = status.stx_uid;
  file.group = status.stx_gid;
  file.mode = status.stx_mode & 07777;
  file.links = status.stx_nlink;
  return file;
}

}  // namespace

HostFile look_at(const std::string& path) {
  HostFile file = ask(path, AT_SYMLINK_NOFOLLOW);
  if (file.kind == FileKind::link) file.link_target = read_link(path).value_or("");
  return file;
}

HostFile look_through(const std::string& path) { return ask(path, 0); }

bool is_directory(const std::string& path) { return look_through(path).kind == FileKind::directory; }
bool is_regular_file(const std::string& path) { return look_through(path).kind == FileKind::file; }

bool exists(const std::string& path) {
  const FileKind kind = look_through(path).kind;
  return kind != FileKind::absent && kind != FileKind::unreadable;
}

bool may_execute(const std::string& path) { return ::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) == 0; }
bool is_executable_file(const std::string& path) { return may_execute(path) && is_regular_file(path); }

std::optional<std::string> real_path_of(const std::string& path) {
  if (has_nul(path)) return {};
  char buffer[PATH_MAX];
  if (::realpath(path.c_str(), buffer) == nullptr) return {};
  return std::string(buffer);
}

std::optional<std::string> read_link(const std::string& path) {
  char buffer[PATH_MAX];
  const ssize_t n = has_nul(path) ? -1 : ::readlink(path.c_str(), buffer, sizeof buffer);
  if (n < 0) return {};
  return std::string(buffer, static_cast<std::size_t>(n));
}

std::optional<std::string> read_or_nothing(const std::string& path, std::size_t bytes_max) {
  if (has_nul(path)) return {};
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  struct stat status {};
  if (!fd.valid() || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  // One byte more than it says, so that one short read is the end; files of /proc say 0.
  constexpr std::size_t least_bytes = 512;
  std::string content(std::max(static_cast<std::size_t>(status.st_size) + 1, least_bytes), '\0');
  std::size_t filled = 0;
  for (;;) {
    if (filled > bytes_max) return {};
    const ssize_t n = ::read(fd.get(), content.data() + filled, content.size() - filled);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return {};
    filled += static_cast<std::size_t>(n);
    if (filled < content.size()) break;
    content.resize(content.size() * 2);
  }
  content.resize(filled);
  return content;
}

std::vector<std::string> list_directory(const std::string& path) {
  std::vector<std::string> names;
  const Fd directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK));
  if (has_nul(path) || !directory.valid()) return names;
  char buffer[32 * 1024];  // not cleared: that would cost more than the call
  for_each_entry(directory.get(), buffer, [&](const char* name, unsigned char) {
    names.emplace_back(name);
    return names.size() < list_entries_max;
  });
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace paddock
