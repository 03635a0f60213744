#include "wrap/store.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include <fmt/core.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/sha256.h"
#include "base/text.h"
#include "wrap/wrapped.h"

namespace paddock {
namespace {

constexpr std::string_view findings_ending = ".findings";
constexpr std::uint64_t collect_every_s = 600;
constexpr std::uint64_t grace_s = 3600;  // a start that has just begun still finds its file

std::uint64_t now_s() { return static_cast<std::uint64_t>(wall_clock().tv_sec); }

std::uint64_t end_of(const struct stat& status) { return static_cast<std::uint64_t>(status.st_mtim.tv_sec) + wrapped_lifetime_s; }

bool is_digest(std::string_view name) { return name.size() == 64 && name.find_first_not_of("0123456789abcdef") == std::string_view::npos; }

// A digest, or what lies beside one: its findings, a file that was being written when its writer was killed.
bool is_stored_name(std::string_view name) { return is_digest(name.substr(0, 64)) && (name.size() == 64 || name[64] == '.'); }

bool is_recent(const std::string& path, std::uint64_t age_s) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && static_cast<std::uint64_t>(status.st_mtim.tv_sec) + age_s > now_s();
}

// Removes what has expired; the number of those that live.
std::size_t collect_in(int directory) {
  const int copy = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* listing = copy < 0 ? nullptr : ::fdopendir(copy);
  std::size_t living = 0;
  while (listing != nullptr) {
    const dirent* entry = ::readdir(listing);
    if (entry == nullptr) break;
    struct stat status {};
    if (!is_stored_name(entry->d_name) || ::fstatat(directory, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (end_of(status) + grace_s < now_s()) ::unlinkat(directory, entry->d_name, 0);
    else ++living;
  }
  if (listing != nullptr) ::closedir(listing);
  return living;
}

Result<void> collect(const std::string& directory) {
  const std::string stamp = path::join(directory, "collected");
  if (is_recent(stamp, collect_every_s)) return {};
  const Fd opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.valid()) return system_error("cannot open " + visible(directory), errno);
  const std::size_t living = collect_in(opened.get());
  if (living > wrapped_files_max) {
    return error(ErrorCode::cannot_start, fmt::format("{} holds {} wrapped commands, more than {}", visible(directory), living, wrapped_files_max),
                 "wrap a command once and start it often; they expire after a day, or remove the directory");
  }
  return write_file(stamp, "");
}

Error refused(const std::string& path, std::string_view why) {
  return error(ErrorCode::cannot_start, fmt::format("the wrapped command {} {}", visible(path::name(path)), why), "wrap it again");
}

// Nobody but its owner can have put anything there.
bool is_private_directory(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() && (status.st_mode & 077) == 0;
}

}  // namespace

std::string wrapped_directory(const std::string& state_directory) { return path::join(state_directory, "wrap"); }

Result<StoredPlace> store_wrapped(const std::string& state_directory, std::string_view text) {
  const std::string directory = wrapped_directory(state_directory);
  TRY(make_private_directories(directory));
  if (!is_private_directory(directory)) return error(ErrorCode::cannot_start, visible(directory) + " is not a directory that only you can enter", "chmod 700 it, or remove it");
  TRY(collect(directory));
  StoredPlace stored{path::join(directory, sha256_hex(text)), now_s() + wrapped_lifetime_s};
  // Written anew also when it is there: whole, and with another time.
  TRY(write_file(stored.path, text).context("storing the wrapped command"));
  return stored;
}

Result<std::string> load_wrapped(const std::string& path) {
  if (!path::is_absolute(path) || path::normal(path) != path || !is_digest(path::name(path))) {
    return error(ErrorCode::usage, visible(path) + " is no reference to a wrapped command", "start the argument vector as paddock wrap gave it");
  }
  if (!is_private_directory(path::parent(path))) return refused(path, "does not lie in a directory that only you can enter");
  const Fd file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid() && errno == ENOENT) return refused(path, "has expired");
  struct stat status {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0) return system_error("cannot read the wrapped command", errno);
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || (status.st_mode & 077) != 0) return refused(path, "can be read or changed by others");
  if (end_of(status) <= now_s()) return refused(path, "has expired");
  std::string text = TRY(read_all(file.get(), wrapped_bytes_max));
  if (sha256_hex(text) != path::name(path)) return refused(path, "is not what was stored");
  return text;
}

std::string findings_of(const std::string& path) { return path + std::string(findings_ending); }

void report_finding(const std::string& path, std::string_view line) {
  const Fd file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  struct stat status {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  if (static_cast<std::size_t>(status.st_size) + line.size() > findings_bytes_max) return;
  (void)write_all(file.get(), line).ok();
}

}  // namespace paddock
