#include "sandbox/state_links.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/fd.h"
#include "base/path.h"
#include "base/text.h"

namespace paddock {
namespace {

constexpr int depth_max = 24;

class Walk {
 public:
  Walk(const std::string& tree, const std::string& named, const timespec& since) : tree_(tree), named_(named), since_(since) {}

  std::vector<std::string> run() {
    const Fd top(::open(tree_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (top.valid()) walk(top.get(), tree_, 0);
    std::ranges::sort(found_);
    return std::move(found_);
  }

 private:
  // The change time cannot be set back (utimensat(2) sets the other two).
  bool is_new(const struct stat& status) const {
    return status.st_ctim.tv_sec > since_.tv_sec || (status.st_ctim.tv_sec == since_.tv_sec && status.st_ctim.tv_nsec >= since_.tv_nsec);
  }

  void walk(int at, const std::string& where, int depth) {
    struct stat own {};
    // Without sub-directories and not changed: nothing in it is new. (File systems that do not count
    // sub-directories as links say 1.)
    if (::fstat(at, &own) != 0 || (own.st_nlink == 2 && !is_new(own))) return;
    const int copy = ::openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* listing = copy < 0 ? nullptr : ::fdopendir(copy);
    if (listing == nullptr) return;
    while (const dirent* entry = ::readdir(listing)) {
      const std::string name = entry->d_name;
      if (name == "." || name == "..") continue;
      if (++entries_ > state_entries_max) break;
      visit(at, name, entry->d_type, where, depth);
    }
    ::closedir(listing);
  }

  void visit(int at, const std::string& name, unsigned char type, const std::string& where, int depth) {
    const std::string place = path::join(where, name);
    if (type == DT_DIR && depth < depth_max) {
      const Fd below(::openat(at, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      if (below.valid()) walk(below.get(), place, depth + 1);
      return;
    }
    if (type == DT_REG || type == DT_DIR || type == DT_SOCK) return;
    struct stat status {};
    if (::fstatat(at, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 || !is_new(status)) return;
    const bool is_odd = S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode);
    if (is_odd || (S_ISLNK(status.st_mode) && leads_out(at, name, where))) found_.push_back(place);
  }

  // By its words: a link on its way is found for itself. Going up from what may be a link is going anywhere.
  bool leads_out(int at, const std::string& name, const std::string& where) const {
    char buffer[4096];
    const ssize_t n = ::readlinkat(at, name.c_str(), buffer, sizeof buffer);
    if (n <= 0 || n == sizeof buffer) return true;
    const std::string text(buffer, static_cast<std::size_t>(n));
    bool has_gone_down = path::is_absolute(text);
    for (const std::string& part : split(text, '/')) {
      if (part == ".." && has_gone_down) return true;
      has_gone_down = has_gone_down || (part != ".." && part != "." && !part.empty());
    }
    const std::string end = path::normal(text, where);
    return !path::is_within(end, tree_) && !(path::is_absolute(text) && path::is_within(end, named_));
  }

  const std::string& tree_;
  const std::string& named_;
  const timespec& since_;
  std::size_t entries_ = 0;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> new_links_out(const std::string& tree, const std::string& named, const timespec& since) { return Walk(tree, named, since).run(); }

}  // namespace paddock
