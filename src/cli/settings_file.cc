#include "cli/settings_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>

#include <fmt/core.h>

#include "base/path.h"
#include "base/place.h"
#include "base/sha256.h"
#include "base/text.h"

namespace paddock {
namespace {

constexpr int reading = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;  // a FIFO must not hold us up

Error refused(const std::string& path, std::string_view why, std::string hint = {}) {
  return error(ErrorCode::cannot_start, fmt::format("{} {}", visible(path), why), std::move(hint));
}

bool is_absent(int number) { return number == ENOENT || number == ENOTDIR; }

// What an open descriptor is called now, without links.
std::string name_of(int fd) {
  char buffer[4096];
  const ssize_t n = ::readlink(fmt::format("/proc/self/fd/{}", fd).c_str(), buffer, sizeof buffer);
  return n <= 0 ? std::string() : std::string(buffer, static_cast<std::size_t>(n));
}

// Root's and this user's own; a group only where it is the user's own, as with umask 002.
bool is_writable_by_others(const struct stat& status) {
  if (status.st_uid != 0 && status.st_uid != ::geteuid()) return true;
  if ((status.st_mode & S_IWOTH) != 0) return true;
  return (status.st_mode & S_IWGRP) != 0 && status.st_gid != 0 && status.st_gid != ::getegid();
}

// The repository that holds the place, or nothing.
std::string repository_around(const std::string& place) {
  for (std::string up = path::parent(place);; up = path::parent(up)) {
    struct stat status {};
    if (::lstat(path::join(up, ".git").c_str(), &status) == 0) return up;
    if (up == "/") return {};
  }
}

Result<void> check_own_file(const std::string& path, const std::string& real, const struct stat& status, bool is_known_place) {
  struct stat directory {};
  const bool looked = ::stat(path::parent(real).c_str(), &directory) == 0;
  if (is_writable_by_others(status) || !looked || is_writable_by_others(directory)) {
    return refused(path, "is not trusted: somebody else could write it or its directory", fmt::format("make it yours alone: chmod go-w {} {}", shell_word(path::parent(real)), shell_word(real)));
  }
  if (is_known_place) return {};
  const std::string repository = repository_around(real);
  if (repository.empty()) return {};
  return refused(path, fmt::format("is not trusted: it lies in the repository {}, where a sandboxed agent could write it{}", visible(repository), real == path ? "" : " (" + visible(real) + ")"),
                 "keep a copy of it outside of repositories, instead of a link");
}

}  // namespace

Result<std::optional<OwnFile>> read_own_file(const std::string& directory, OwnDirectory kind, const std::string& name) {
  const std::string path = path::join(directory, name);
  Fd fd = open_without_links(path, reading);
  const bool through_link = !fd.valid() && errno == ELOOP;
  if (through_link) fd = Fd(::open(path.c_str(), reading));
  if (!fd.valid() && is_absent(errno) && !through_link) return std::optional<OwnFile>{};
  if (!fd.valid()) {
    const int why = errno;
    struct stat status {};
    // A link above it and nothing there is absent; a link to nothing is a mistake.
    if (is_absent(why) && ::lstat(path.c_str(), &status) != 0) return std::optional<OwnFile>{};
    return system_error("cannot open " + visible(path), why);
  }
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return system_error("cannot look at " + visible(path), errno);
  if (!S_ISREG(status.st_mode)) return refused(path, "is not a regular file");
  OwnFile file;
  if (through_link) file.link_target = name_of(fd.get());
  TRY(check_own_file(path, through_link ? file.link_target : path, status, kind == OwnDirectory::usual && !through_link));
  file.text = TRY(read_all(fd.get(), settings_bytes_max).context(visible(path)));
  return std::optional<OwnFile>(std::move(file));
}

Result<std::optional<std::string>> read_ceiling_file(const std::string& path) {
  const Fd fd(::open(path.c_str(), reading));
  if (!fd.valid() && is_absent(errno)) return std::optional<std::string>{};
  constexpr std::string_view hint = "nothing starts while the machine's ceiling is not in order; ask whoever administers this machine";
  if (!fd.valid()) return error(ErrorCode::cannot_start, system_error("cannot open " + path, errno).message, std::string(hint));
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return system_error("cannot look at " + path, errno);
  if (!S_ISREG(status.st_mode)) return refused(path, "is not a regular file", std::string(hint));
  const auto is_roots = [](const struct stat& one) { return one.st_uid == 0 && (one.st_mode & S_IWOTH) == 0 && ((one.st_mode & S_IWGRP) == 0 || one.st_gid == 0); };
  if (!is_roots(status)) return refused(path, "is not root's alone: chown root:root and chmod 644", std::string(hint));
  for (const std::string& place : {path, name_of(fd.get())}) {
    for (const std::string& above : path::ancestors_and_self(path::parent(place))) {
      struct stat directory {};
      if (::stat(above.c_str(), &directory) == 0 && is_roots(directory)) continue;
      return refused(path, fmt::format("lies in {}, which is not root's alone", visible(above)), std::string(hint));
    }
  }
  return std::optional<std::string>(TRY(read_all(fd.get(), settings_bytes_max).context(path)));
}

Result<std::optional<RepositoryFile>> read_repository_file(const std::string& root) {
  const std::string path = path::join(root, repository_file_name);
  const Fd directory = open_without_links(root, O_PATH | O_DIRECTORY);
  if (!directory.valid()) return system_error("cannot open " + visible(root), errno);
  const Fd fd(::openat(directory.get(), repository_file_name.data(), reading | O_NOFOLLOW));
  if (!fd.valid() && errno == ENOENT) return std::optional<RepositoryFile>{};
  if (!fd.valid() && errno == ELOOP) return refused(path, "is a link: only a file of the repository's own is read", "replace it by the file itself, or remove it");
  if (!fd.valid()) return system_error("cannot open " + visible(path), errno);
  struct stat status {}, above {};
  if (::fstat(fd.get(), &status) != 0 || ::fstat(directory.get(), &above) != 0) return system_error("cannot look at " + visible(path), errno);
  if (!S_ISREG(status.st_mode)) return refused(path, "is not a regular file", "remove it");
  std::string text = TRY(read_all(fd.get(), repository_file_bytes_max).context(visible(path)));
  const std::uint64_t device = static_cast<std::uint64_t>(major(above.st_dev)) << 32 | minor(above.st_dev);
  return std::optional<RepositoryFile>(RepositoryFile{path, std::move(text), {device, above.st_ino}});
}

std::string project_settings_name(const std::string& root) {
  constexpr std::size_t name_bytes_max = 200;
  std::string name;
  for (const char c : std::string_view(root).substr(1)) {
    if (c == '/') name += ':';
    else if (c == ':') name += "%3A";
    else if (c == '%') name += "%25";
    else name += c;
  }
  if (name.size() > name_bytes_max) name = "%%" + sha256_hex(root);
  return name + ".toml";
}

}  // namespace paddock
