#include "backend/bubblewrap_program.h"

#include <unistd.h>

#include <algorithm>

#include <fmt/core.h>

#include "backend/shipped.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"

namespace paddock {
namespace {

constexpr uid_t overflow_uid = 65534;  // what a file shows whose owner has no uid here (kernel.overflowuid)
constexpr std::string_view system_directories[] = {"/usr/bin", "/usr/local/bin", "/usr/sbin", "/bin", "/usr/lib", "/usr/local/lib", "/usr/libexec"};

ProgramJudge judge_here() {
  const auto map = read_file_if_any("/proc/self/uid_map", 65536);
  return {::getuid(), !map || !*map || maps_root(**map)};
}

bool is_trusted_owner(const std::string& path, uid_t owner, const ProgramJudge& judge) {
  if (owner == 0 || owner == judge.uid) return true;
  return !judge.has_root && owner == overflow_uid && std::ranges::any_of(system_directories, [&](std::string_view place) { return path::is_within(path, place); });
}

std::string key_of(const std::string& path, const struct stat& status) {
  return fmt::format("{} {} {} {} {}.{}", path, status.st_dev, status.st_ino, status.st_size, status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
}

BubblewrapProgram look_at(const std::string& path) {
  BubblewrapProgram program{path, {}, {}, {}, {}};
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || ::access(path.c_str(), X_OK) != 0) {
    program.refusal = path + " is not an executable file";
    return program;
  }
  program.identity = identity_of(status);
  program.change = change_of(status);
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

BubblewrapPrograms::BubblewrapPrograms(const ProbeRequest& request) : request_(request), name_(request.settings.program) {
  if (name_.find('/') != std::string::npos) {
    paths_.push_back(path::normal(name_));
    return;
  }
  places_ = split(request.search_path, ':');
  std::ranges::reverse(places_);
  if (!name_.empty()) return;
  name_ = "bwrap";
  if (!request.shipped.path.empty()) paths_.push_back(request.shipped.path);
}

bool BubblewrapPrograms::find_next() {
  while (!paths_.empty() || !places_.empty()) {
    const bool is_given = !paths_.empty();
    std::vector<std::string>& left = is_given ? paths_ : places_;
    const std::string path = is_given ? left.back() : path::join(path::normal(left.back()), name_);
    left.pop_back();
    const bool is_named = !request_.settings.program.empty();
    // Named, it is refused when it is not there; otherwise it is only not that one.
    if (!path::is_absolute(path) || (!(is_named && is_given) && ::access(path.c_str(), F_OK) != 0)) continue;
    found_.push_back(look_at(path));
    if (is_named) places_.clear();
    return true;
  }
  return false;
}

const BubblewrapProgram* BubblewrapPrograms::at(std::size_t index) {
  while (found_.size() <= index) {
    if (!find_next()) return nullptr;
  }
  return &found_[index];
}

std::string BubblewrapPrograms::none() const { return visible(name_) + " is not installed"; }

std::string refusal_of_content(const BubblewrapProgram& program, const ShippedProgram& shipped) {
  if (shipped.path.empty() || program.path != shipped.path) return {};
  const CheckedContent checked = check_content(program.path, shipped.sha256);
  if (!checked.refusal.empty()) return checked.refusal;
  const bool is_same = checked.identity == program.identity && checked.change == program.change;
  return is_same ? std::string() : visible(program.path) + " was changed while it was looked at";
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
