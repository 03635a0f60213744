#include "sandbox/aftermath.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <strings.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <map>
#include <set>

#include <fmt/core.h>

#include "base/entries.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "plan/protected_list.h"

namespace paddock {
namespace {

constexpr std::size_t lines_max = 40;
constexpr int depth_max = 24;
constexpr std::size_t git_entries_max = 20'000;
constexpr std::size_t listing_bytes = 8 << 10;  // of the stack, for each level of a walk
constexpr std::size_t index_bytes_max = std::size_t{64} << 20;

// A path of an index entry with ".git" as a component, in any case. Paths stand in the file as they are
// (gitformat-index(5)), after two bytes of flags or, in version 4, after a number.
bool names_git_directory(std::string_view index) {
  for (std::size_t at = index.find('/'); at != std::string_view::npos; at = index.find('/', at + 1)) {
    if (at < 5 || ::strncasecmp(index.data() + at - 4, ".git", 4) != 0) continue;
    const auto before = static_cast<unsigned char>(index[at - 5]);
    const bool is_letter = std::isalnum(before) != 0 || before == '-' || before == '_' || before == '.';
    if (!is_letter || before == '/') return true;
  }
  return false;
}

std::string link_text(const Place& place) {
  char text[4096];
  const ssize_t n = ::readlinkat(place.parent.get(), place.name.c_str(), text, sizeof text);
  return n < 0 ? std::string() : std::string(text, static_cast<std::size_t>(n));
}

// Some file systems do not say it with the name.
unsigned char type_of(int at, const char* name, unsigned char listed) {
  struct stat status {};
  if (listed != DT_UNKNOWN || ::fstatat(at, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return listed;
  return static_cast<unsigned char>(IFTODT(status.st_mode));
}

bool is_there(const Place& place) {
  struct stat status {};
  return place.parent.valid() && ::fstatat(place.parent.get(), place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

class Look {
 public:
  explicit Look(const AftermathRequest& request) : request_(request) {}

  Aftermath run() {
    for (const Mount& mount : request_.plan->mounts) {
      if (mount.kind == MountKind::bind && mount.access == MountAccess::read_write) fixed_.insert(mount.source);
    }
    for (const AbsentProtection& absent : request_.plan->absent) {
      if (!absent.hold && !(absent.link_target.empty() && is_unchanged(path::parent(absent.path)))) compare(absent);
    }
    if (request_.state != nullptr) look_at_state();
    look_at_index();
    look_at_git_directories();
    walk_trees();
    return std::move(found_);
  }

 private:
  void say(std::string line) {
    if (found_.lines.size() < lines_max) found_.lines.push_back(std::move(line));
    else if (found_.lines.size() == lines_max) found_.lines.emplace_back("… and more");
  }

  // Nothing was created in the directory since the run began, nor was it put in another one's place. Its
  // change time cannot be set back (utimensat(2) sets the other two).
  bool is_unchanged(const std::string& directory) {
    const auto known = unchanged_.find(directory);
    if (known != unchanged_.end()) return known->second;
    struct stat status {};
    const int failed = ::lstat(directory.c_str(), &status);
    bool unchanged = (failed != 0 && errno == ENOENT) || (failed == 0 && S_ISDIR(status.st_mode) && !is_new(status));
    // A mount of the sandbox's could not be renamed; above it nothing is writable.
    if (unchanged && directory != "/" && !fixed_.contains(directory)) unchanged = is_unchanged(path::parent(directory));
    unchanged_[directory] = unchanged;
    return unchanged;
  }

  // Names of one directory mostly come together: it is opened once for all of them.
  Place& place_of(const std::string& path) {
    std::string directory = path::parent(path);
    if (directory != directory_ || !place_.parent.valid()) {
      place_ = open_place(path);
      directory_ = std::move(directory);
    } else {
      place_.name = path::name(path);
    }
    return place_;
  }

  void compare(const AbsentProtection& absent) {
    Place* place = &place_of(absent.path);
    std::string path = absent.path;
    // A link on the way is new (there was none when the plan was made): it is what has to go.
    if (!place->link.empty()) {
      path = place->link;
      place = &place_of(path);
    } else if (!absent.link_target.empty()) {
      if (link_text(*place) != absent.link_target) put_link_back(absent, *place);
      return;
    }
    if (!is_there(*place) || std::ranges::find(known_, path) != known_.end()) return;
    known_.push_back(path);
    const std::string shown = visible(path);
    if (!request_.is_harness || !absent.quarantine) return say(fmt::format("{} is new: the host would act on it; look at it before you use it", shown));
    const std::string moved = move_aside(path, *place);
    say(moved.empty() ? fmt::format("{} is new and could not be moved aside: the host would act on it", shown)
                      : fmt::format("{} was new and the host would act on it: moved to {}", shown, visible(moved)));
  }

  void look_at_state() {
    // Before anything is put back or moved: what it was changed to is told too.
    std::vector<std::string> changes = request_.state->changes(request_.started);
    for (const PutBackFile& file : request_.state->to_put_back()) put_back(file);
    for (const std::string& path : request_.state->new_names()) set_aside(path, "is new and of no known kind, and the host may act on it");
    for (const std::string& path : request_.state->new_links(request_.started)) set_aside(path, "is new and leads out of the harness's directory, and the host would read or write there");
    for (std::string& line : changes) say(std::move(line));
  }

  void put_back(const PutBackFile& file) {
    if (file.set_aside) set_aside(file.path, "could no longer be read as what it was");
    const bool restored = (file.set_aside && file.text.empty()) || replace(file.path, file.text);
    if (!restored) return say(fmt::format("{} was changed and could not be put back: look at it before you use it", visible(file.path)));
    if (file.set_aside) return;
    for (const std::string& name : file.names) say(fmt::format("{}: {} was changed and is put back: the host would act on it", visible(file.path), visible(name)));
  }

  // The whole new text, in the place of whatever stands there.
  static bool replace(const std::string& path, const std::string& text) {
    const Place place = open_place(path);
    if (!place.parent.valid()) return false;
    struct stat status {};
    const bool is_file = ::fstatat(place.parent.get(), place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode);
    const std::string beside = fmt::format("{}.paddock-{}", place.name, ::getpid());
    const Fd file(::openat(place.parent.get(), beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    const bool written = file.valid() && ::fchmod(file.get(), is_file ? status.st_mode & 0777 : 0600) == 0 && write_all(file.get(), text).ok();
    if (written && ::renameat(place.parent.get(), beside.c_str(), place.parent.get(), place.name.c_str()) == 0) return true;
    ::unlinkat(place.parent.get(), beside.c_str(), 0);
    return false;
  }

  void set_aside(const std::string& path, std::string_view why) {
    const Place place = open_place(path);
    if (!is_there(place) || std::ranges::find(known_, path) != known_.end()) return;
    known_.push_back(path);
    const std::string moved = move_aside(path, place);
    say(moved.empty() ? fmt::format("{} {}, and could not be moved aside", visible(path), why) : fmt::format("{} {}: moved to {}", visible(path), why, visible(moved)));
  }

  void put_link_back(const AbsentProtection& absent, const Place& place) {
    std::string moved;
    if (is_there(place)) moved = move_aside(absent.path, place);
    const bool restored = place.parent.valid() && !is_there(place) && ::symlinkat(absent.link_target.c_str(), place.parent.get(), place.name.c_str()) == 0;
    say(fmt::format("{} was a protected link and was replaced: {}{}", visible(absent.path), restored ? "put back" : "it could not be put back",
                    moved.empty() ? "" : ", what was there moved to " + visible(moved)));
  }

  // Renamed into the quarantine, or, across file systems, to an inert name beside it. Where it is now.
  std::string move_aside(const std::string& path, const Place& place) {
    const std::string name = fmt::format("{}-{}", ++moved_, place.name);
    if (make_private_directories(request_.quarantine).ok()) {
      const std::string aside = path::join(request_.quarantine, name);
      if (::renameat(place.parent.get(), place.name.c_str(), AT_FDCWD, aside.c_str()) == 0) return aside;
    }
    const std::string beside = fmt::format("{}.paddock-quarantine-{}-{}", place.name, ::getpid(), moved_);
    if (::renameat(place.parent.get(), place.name.c_str(), place.parent.get(), beside.c_str()) != 0) return {};
    return path::join(path::parent(path), beside);
  }

  // git never makes an entry below a .git; one that was planted is written there by the host's next checkout.
  void look_at_index() {
    for (const Mount& mount : request_.plan->mounts) {
      if (mount.kind != MountKind::bind || mount.access != MountAccess::read_write || !mount.is_directory) continue;
      const std::string index = path::join(mount.source, "index");
      if (path::name(mount.source) != ".git" && path::name(path::parent(mount.source)) != "worktrees") continue;
      struct stat status {};
      if (::lstat(index.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || !is_new(status)) continue;
      const auto content = read_file_if_any(index, index_bytes_max);
      if (content && *content && names_git_directory(**content)) say(fmt::format("{} holds an entry inside a .git directory: the host's git would write it there; do not check anything out before you have looked", visible(index)));
    }
  }

  // The host's git follows links in its directory when it writes, and reads a new worktree's settings.
  void look_at_git_directories() {
    for (const Mount& mount : request_.plan->mounts) {
      const bool is_writable = mount.kind == MountKind::bind && mount.access == MountAccess::read_write && mount.is_directory;
      if (!is_writable || (path::name(mount.source) != ".git" && mount.reason.find("repository") == std::string::npos)) continue;
      look_into_git(AT_FDCWD, mount.source, mount.source, 0);
    }
  }

  // `name` at `at` is `directory`.
  void look_into_git(int at, const std::string& name, const std::string& directory, int depth) {
    constexpr int git_depth_max = 8;
    // Without sub-directories and not changed: nothing in it is new. (File systems that do not count
    // sub-directories as links say 1.)
    struct stat own {};
    if (::fstatat(at, name.c_str(), &own, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(own.st_mode) || (own.st_nlink == 2 && !is_new(own))) return;
    const Fd here = open_directory(at, name.c_str());
    if (!here.valid()) return;
    const bool holds_worktrees = path::name(directory) == "worktrees";
    char buffer[listing_bytes];
    for_each_entry(here.get(), buffer, [&](const char* entry, unsigned char listed) {
      if (++git_entries_ > git_entries_max) return false;
      const unsigned char type = type_of(here.get(), entry, listed);
      if (type != DT_DIR && type != DT_LNK) return true;
      const std::string place = path::join(directory, entry);
      struct stat status {};
      const bool is_worktree = type == DT_DIR && holds_worktrees;
      const bool matters = type == DT_LNK || is_worktree;
      if (matters && ::fstatat(here.get(), entry, &status, AT_SYMLINK_NOFOLLOW) == 0 && is_new(status) && !is_known_directory(place)) {
        say(visible(place) + (is_worktree ? " is a new worktree's, and the host's git would follow what it says" : " is a new link, and the host's git would write through it"));
      }
      if (type == DT_DIR && std::string_view(entry) != "objects" && depth < git_depth_max) look_into_git(here.get(), entry, place, depth + 1);
      return true;
    });
  }

  // The working tree's own part, and what is mounted: not new, although it changes.
  bool is_known_directory(const std::string& place) const {
    return fixed_.contains(place) || std::ranges::any_of(request_.plan->mounts, [&](const Mount& m) { return m.source == place || path::parent(m.source) == place; });
  }

  void walk_trees() {
    for (const Mount& mount : request_.plan->mounts) {
      const bool is_tree = mount.kind == MountKind::bind && mount.access == MountAccess::read_write && mount.is_directory;
      const bool is_persons = mount.reason == "workspace" || mount.reason.starts_with("granted: ");
      if (!is_tree || !is_persons) continue;
      walk(open_directory(AT_FDCWD, mount.source.c_str()), mount.source, 0);
    }
    if (request_.is_harness && entries_ >= walk_entries_max) say(fmt::format("only the first {} entries of the workspace were looked at", walk_entries_max));
  }

  void walk(const Fd& at, const std::string& where, int depth) {
    if (!at.valid()) return;
    char buffer[listing_bytes];
    for_each_entry(at.get(), buffer, [&](const char* name, unsigned char listed) {
      if (++entries_ >= (request_.is_harness ? walk_entries_max : plain_walk_entries_max)) return false;
      visit(at.get(), where, name, type_of(at.get(), name, listed), depth);
      return true;
    });
  }

  bool is_new(const struct stat& status) const {
    return status.st_ctim.tv_sec > request_.started.tv_sec ||
           (status.st_ctim.tv_sec == request_.started.tv_sec && status.st_ctim.tv_nsec >= request_.started.tv_nsec);
  }

  void visit(int at, const std::string& where, const char* entry, unsigned char type, int depth) {
    const std::string_view name = entry;
    // For a plain command only new repositories are looked for.
    const bool is_executed = request_.is_harness ? std::ranges::find(executable_names_anywhere(), name) != executable_names_anywhere().end() : name == ".git";
    const bool is_top_git = depth == 0 && name == ".git";
    const bool goes_below = type == DT_DIR && name != ".git" && name != "node_modules" && depth < depth_max;
    if ((!is_executed || is_top_git) && !goes_below) return;
    const std::string place = path::join(where, name);
    if (is_executed && !is_top_git && std::ranges::find(known_, place) == known_.end()) {
      struct stat status {};
      if (::fstatat(at, entry, &status, AT_SYMLINK_NOFOLLOW) == 0 && is_new(status)) {
        say(fmt::format("{} is new or changed, and the host would act on it", visible(place)));
      }
    }
    if (goes_below) walk(open_directory(at, entry), place, depth + 1);
  }

  const AftermathRequest& request_;
  Aftermath found_;
  std::set<std::string> fixed_;  // sources of the sandbox's writable mounts
  std::map<std::string, bool> unchanged_;
  std::vector<std::string> known_;
  std::string directory_;  // where place_ lies
  Place place_;
  std::size_t entries_ = 0;
  std::size_t git_entries_ = 0;
  int moved_ = 0;
};

}  // namespace

Aftermath look_afterwards(const AftermathRequest& request) { return Look(request).run(); }

}  // namespace paddock
