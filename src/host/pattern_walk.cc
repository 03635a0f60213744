#include "host/pattern_walk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include "base/path.h"
#include "base/entries.h"
#include "host/host_file.h"
#include "host/pattern_states.h"

namespace paddock {
namespace {

constexpr std::size_t buffer_bytes = 256 * 1024;

struct Root {
  std::string real;
  StateSet states = no_states;
  bool is_matched = false;
};

class Walk {
 public:
  Walk(const std::vector<std::string>& patterns, std::size_t entries_max)
      : states_(patterns), entries_max_(entries_max), buffer_(buffer_bytes) {}

  Result<std::vector<std::string>> run(const std::vector<std::string>& roots) {
    for (const std::string& root : roots) add_root(root);
    for (const Root& root : roots_) {
      if (root.is_matched) found_.push_back(root.real);
      if (root.states == no_states) continue;
      root_ = &root;
      path_ = root.real == "/" ? "" : root.real;
      TRY(enter(open_directory(AT_FDCWD, root.real.c_str()), root.states, 0));
    }
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    return std::move(found_);
  }

 private:
  struct Below {
    std::string name;
    StateSet states;
  };

  void add_root(const std::string& given) {
    const std::string normal = path::normal(given);
    Root root;
    root.states = states_of(normal, root.is_matched);
    const auto real = real_path_of(normal);
    if (!real) return;
    root.real = *real;
    if (*real != normal) root.states = states_.united(root.states, states_of(*real, root.is_matched));
    // Below an earlier root it is found on the way.
    const bool is_known = *real == normal && std::any_of(roots_.begin(), roots_.end(), [&](const Root& other) {
      return path::is_within(*real, other.real);
    });
    if (!is_known) roots_.push_back(std::move(root));
  }

  // The state in a directory by its path. A match further up counts only if it takes in all below.
  StateSet states_of(const std::string& directory, bool& is_matched) {
    StateSet states = states_.at_root();
    for (std::size_t at = 1; at < directory.size();) {
      const std::size_t end = std::min(directory.find('/', at), directory.size());
      const std::string name = directory.substr(at, end - at);
      const Step step = states_.step(states, name.c_str(), name.size(), EntryKind::directory);
      if (step.match == Match::everything || (step.match == Match::self && end == directory.size())) is_matched = true;
      states = step.below;
      at = end + 1;
    }
    return states;
  }

  // The directory at path_, opened as `directory`.
  Result<void> enter(Fd directory, StateSet states, int depth) {
    if (!directory.valid()) return explain_closed(errno);
    if (depth > walk_depth_max) {
      return error(ErrorCode::cannot_start, path_ + " is nested more than " + std::to_string(walk_depth_max) + " directories deep",
                   "mask or protect one of the directories above it by its path");
    }
    std::vector<Below> directories;
    std::vector<Below> links;
    int failed = 0;
    if (const auto* names = states_.only_names(states)) {
      for (const std::string& name : *names) look(directory.get(), name.c_str(), DT_UNKNOWN, states, directories, links);
    } else {
      failed = for_each_entry(directory.get(), buffer_, [&](const char* name, unsigned char type) {
        look(directory.get(), name, type, states, directories, links);
        return ++entries_ <= entries_max_;
      });
    }
    if (failed == ENOMEM || entries_ > entries_max_) return explain_end(failed);
    for (const Below& below : directories) TRY(descend(directory.get(), below, depth));
    for (const Below& below : links) TRY(follow(directory.get(), below, depth));
    return {};
  }

  void look(int directory, const char* name, unsigned char type, StateSet states, std::vector<Below>& directories,
            std::vector<Below>& links) {
    const std::size_t length = std::strlen(name);
    if (type == DT_UNKNOWN) {
      struct stat status {};
      if (::fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return;
      type = IFTODT(status.st_mode);
    }
    if (type != DT_DIR && type != DT_LNK) {
      if (states_.match(states, name, length, EntryKind::other) != Match::none) found_.push_back(path_ + "/" + name);
      return;
    }
    const Step step = states_.step(states, name, length, EntryKind::directory);
    if (step.match != Match::none) report(name, type);
    if (step.below == no_states || is_object_store(name)) return;
    (type == DT_DIR ? directories : links).push_back({name, step.below});
  }

  void report(const char* name, unsigned char type) {
    found_.push_back(path_ + "/" + name);
    if (type != DT_LNK) return;
    if (auto target = real_path_of(found_.back())) found_.push_back(std::move(*target));
  }

  bool is_object_store(const char* name) const {
    return std::strcmp(name, "objects") == 0 && (path_.ends_with(".git") || path_.find("/.git/") != std::string::npos);
  }

  Result<void> descend(int parent, const Below& below, int depth) {
    const std::size_t length = path_.size();
    path_.append("/").append(below.name);
    auto done = enter(open_directory(parent, below.name.c_str()), below.states, depth + 1);
    path_.resize(length);
    return done;
  }

  Result<void> follow(int parent, const Below& below, int depth) {
    const Fd target(::openat(parent, below.name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!target.valid()) return {};  // no directory, a loop, or leads nowhere
    const auto real = read_link("/proc/self/fd/" + std::to_string(target.get()));
    if (!real) return {};
    const auto root = std::find_if(roots_.begin(), roots_.end(), [&](const Root& candidate) { return path::is_within(*real, candidate.real); });
    if (root == roots_.end()) return {};
    // Found there anyway, by a pattern that holds at any depth.
    if (states_.is_subset(below.states, states_.lasting(root->states))) return {};
    if (!followed_.emplace(*real, below.states).second) return {};
    std::string kept = std::exchange(path_, *real == "/" ? "" : *real);
    auto done = enter(open_directory(target.get(), "."), below.states, depth + 1);
    path_ = std::move(kept);
    return done;
  }

  Result<void> explain_closed(int number) {
    if (number == EMFILE || number == ENFILE || number == ENOMEM) return system_error("cannot search " + path_, number);
    if (number == EACCES && look_at(path_).owner == ::geteuid()) found_.push_back(path_);
    return {};
  }

  Error explain_end(int number) const {
    if (number != 0) return system_error("cannot search " + path_, number);
    return error(ErrorCode::cannot_start,
                 root_->real + " has more than " + std::to_string(entries_max_) + " entries, too many to search for patterns at each start",
                 "begin the pattern with a directory (\"src/**/.env\" instead of \"**/.env\"), or run in a smaller one");
  }

  PatternStates states_;
  std::size_t entries_max_;
  std::size_t entries_ = 0;
  std::vector<char> buffer_;
  std::vector<Root> roots_;
  const Root* root_ = nullptr;
  std::string path_;  // of the directory that is being read; "" for "/"
  std::set<std::pair<std::string, StateSet>> followed_;
  std::vector<std::string> found_;
};

}  // namespace

Result<std::vector<std::string>> match_patterns(const std::vector<std::string>& roots,
                                                const std::vector<std::string>& patterns, std::size_t entries_max) {
  return Walk(patterns, entries_max).run(roots);
}

}  // namespace paddock
