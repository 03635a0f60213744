#include "backend/bubblewrap_program.h"

#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>

#include <fmt/core.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"

namespace paddock {
namespace {

constexpr uid_t overflow_uid = 65534;  // what a file shows whose owner has no uid here (kernel.overflowuid)
constexpr std::string_view system_directories[] = {"/usr/bin", "/usr/local/bin", "/usr/sbin", "/bin", "/usr/lib", "/usr/libexec"};

ProgramJudge judge_here() {
  const auto map = read_file_if_any("/proc/self/uid_map", 65536);
  return {::getuid(), !map || !*map || maps_root(**map)};
}

bool is_trusted_owner(const std::string& path, uid_t owner, const ProgramJudge& judge) {
  if (owner == 0 || owner == judge.uid) return true;
  return !judge.has_root && owner == overflow_uid && std::ranges::any_of(system_directories, [&](std::string_view place) { return path::is_within(path, place); });
}

std::string key_of(const std::string& path, const struct stat& status) {
  return fmt::format("{} {} {} {} {}.{}", path, status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

BubblewrapProgram look_at(const std::string& path) {
  BubblewrapProgram program{path, {}, {}, {}};
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || ::access(path.c_str(), X_OK) != 0) {
    program.refusal = path + " is not an executable file";
    return program;
  }
  program.identity = {static_cast<std::uint64_t>(major(status.st_dev)) << 32 | minor(status.st_dev), status.st_ino};
  program.key = key_of(path, status);
  // Root's files are the usual case, and need no look at the map.
  const ProgramJudge judge = status.st_uid == 0 ? ProgramJudge{::getuid(), true} : judge_here();
  program.refusal = refusal_of_program(path, status, judge);
  return program;
}

}  // namespace

bool maps_root(std::string_view uid_map) {
  for (const std::string& line : split(uid_map, '\n')) {
    const std::string first = std::string(trim(line));
    if (first == "0" || first.starts_with("0 ")) return true;
  }
  return false;
}

std::string key_of_program(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? key_of(path, status) : std::string();
}

BubblewrapProgram find_bubblewrap(const ProbeRequest& request) {
  const std::string& named = request.settings.program;
  if (!named.empty() && named.find('/') != std::string::npos) return look_at(path::normal(named));
  const std::string name = named.empty() ? "bwrap" : named;
  BubblewrapProgram refused{{}, {}, {}, fmt::format("{} is not installed", name)};
  for (const std::string& entry : split(request.search_path, ':')) {
    if (!path::is_absolute(entry)) continue;
    const std::string path = path::join(path::normal(entry), name);
    if (::access(path.c_str(), F_OK) != 0) continue;
    BubblewrapProgram program = look_at(path);
    if (program.refusal.empty() || !named.empty()) return program;
    refused = program;
  }
  return refused;
}

std::string refusal_of_program(const std::string& path, const struct stat& status, const ProgramJudge& judge) {
  if ((status.st_mode & S_ISUID) != 0) return path + " is setuid root: a fault in it would be root's; use one that is not";
  if ((status.st_mode & S_IWOTH) != 0) return path + " can be written by everybody";
  if (!is_trusted_owner(path, status.st_uid, judge)) return path + " belongs to another user";
  for (const std::string& directory : path::ancestors_and_self(path::parent(path))) {
    struct stat above {};
    const bool is_open = ::stat(directory.c_str(), &above) != 0 || ((above.st_mode & S_IWOTH) != 0 && (above.st_mode & S_ISVTX) == 0);
    if (is_open) return path + " lies below " + directory + ", where everybody can write";
  }
  return {};
}

}  // namespace paddock
