#include "host/etc_view.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include <fmt/core.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "host/digest.h"
#include "host/etc_memo.h"
#include "host/host_file.h"

namespace paddock {
namespace {

constexpr std::size_t copy_bytes_max = std::size_t{1} << 20;
constexpr int depth_max = 3;
constexpr std::size_t entries_max = 2000;
constexpr std::size_t views_kept = 8;
constexpr unsigned format = 2;  // of the view: a change makes new ones

class View {
 public:
  View(const EtcRequest& request, const std::string& etc, KnownFiles& files) : request_(request), etc_(etc), files_(files) {}

  // Names what is asked for, and what stands in the places.
  std::string request() const {
    Digest digest;
    digest.add(format);
    for (const std::string& name : request_.names) digest.add(name);
    add_made(digest);
    return digest.text();
  }

  void look() {
    EtcSource itself{".", {}};
    if (::lstat(etc_.c_str(), &itself.status) == 0) sources_.push_back(itself);
    std::vector<std::string> all;
    for (const std::string& name : request_.names) {
      if (name.find('*') == std::string::npos) {
        look_at(name, 0);
        continue;
      }
      if (all.empty()) all = list_directory(etc_);
      for (const std::string& entry : all) {
        if (name_matches(name, entry)) look_at(entry, 0);
      }
    }
  }

  std::string digest() const {
    Digest digest;
    digest.add(format);
    for (const EtcSource& source : sources_) {
      if (source.name == ".") continue;
      digest.add(source.name);
      digest.add(source.status.st_ino);
      digest.add(static_cast<std::uint64_t>(source.status.st_size));
      digest.add(static_cast<std::uint64_t>(source.status.st_mtim.tv_sec));
      digest.add(static_cast<std::uint64_t>(source.status.st_mtim.tv_nsec));
      digest.add(source.status.st_mode);
    }
    add_made(digest);
    return digest.text();
  }

  // /etc itself is the first.
  const std::vector<EtcSource>& sources() const { return sources_; }

  Result<void> copy_to(const std::string& directory) const {
    for (const EtcSource& source : sources_) {
      if (source.name != ".") TRY(copy(source, path::join(directory, source.name)));
    }
    for (const auto& [name, content] : request_.files) TRY(write_file(path::join(directory, name), content, 0644));
    for (const auto& [name, target] : request_.links) {
      TRY(make_parents(directory, name));
      const std::string place = path::join(directory, name);
      if (::symlink(target.c_str(), place.c_str()) != 0 && errno != EEXIST) return system_error("cannot make the link " + place, errno);
    }
    for (const std::string& place : request_.places) TRY(make_place(path::join(directory, place), kind_of(place)));
    return {};
  }

 private:
  void add_made(Digest& digest) const {
    for (const auto& [name, content] : request_.files) {
      digest.add(name);
      digest.add(content);
    }
    for (const auto& [name, target] : request_.links) {
      digest.add(name);
      digest.add(target);
    }
    for (const std::string& place : request_.places) {
      digest.add(place);
      digest.add(static_cast<std::uint64_t>(kind_of(place)));
    }
  }

  FileKind kind_of(const std::string& place) const {
    const std::string path = path::join(etc_, place);
    FileKind kind = files_.look(path).kind;
    // Followed: what is mounted there is the end of the chain.
    if (kind == FileKind::link) kind = look_through(path).kind;
    if (kind == FileKind::absent || kind == FileKind::unreadable) return FileKind::absent;
    return kind == FileKind::directory ? kind : FileKind::file;
  }

  void look_at(const std::string& name, int depth) {
    EtcSource source{name, {}};
    if (sources_.size() >= entries_max || ::lstat(path::join(etc_, name).c_str(), &source.status) != 0) return;
    const mode_t mode = source.status.st_mode;
    const bool readable_by_all = (mode & S_IROTH) != 0;
    if (S_ISREG(mode) && (!readable_by_all || source.status.st_size > static_cast<off_t>(copy_bytes_max))) return;
    if (!S_ISREG(mode) && !S_ISLNK(mode) && !(S_ISDIR(mode) && readable_by_all && depth < depth_max)) return;
    sources_.push_back(source);
    if (!S_ISDIR(mode)) return;
    for (const std::string& entry : list_directory(path::join(etc_, name))) look_at(path::join(name, entry), depth + 1);
  }

  Result<void> copy(const EtcSource& source, const std::string& target) const {
    const std::string from = path::join(etc_, source.name);
    if (S_ISDIR(source.status.st_mode)) return make_place(target, FileKind::directory);
    if (S_ISREG(source.status.st_mode)) {
      // A file that went away since is left out: the next start sees another digest.
      const auto content = TRY(read_file_if_any(from, copy_bytes_max));
      return content ? write_file(target, *content, 0644) : Result<void>();
    }
    char text[4096];
    const ssize_t n = ::readlink(from.c_str(), text, sizeof text - 1);
    if (n <= 0) return {};
    text[n] = '\0';
    if (::symlink(text, target.c_str()) != 0) return system_error("cannot make the link " + target, errno);
    return {};
  }

  static Result<void> make_place(const std::string& target, FileKind kind) {
    if (kind == FileKind::directory && ::mkdir(target.c_str(), 0755) != 0 && errno != EEXIST) return system_error("cannot create " + target, errno);
    // Whatever the umask: to a sandbox that root starts all of it is somebody else's.
    if (kind == FileKind::directory) ::chmod(target.c_str(), 0755);
    if (kind == FileKind::file) return write_file(target, "", 0644);
    return {};
  }

  static Result<void> make_parents(const std::string& directory, const std::string& name) {
    for (const std::string& ancestor : path::ancestors_and_self(path::parent("/" + name))) {
      TRY(make_place(path::normal(ancestor.substr(1), directory), FileKind::directory));
    }
    return {};
  }

  const EtcRequest& request_;
  const std::string& etc_;
  KnownFiles& files_;
  std::vector<EtcSource> sources_;
};

// Below one directory of our own making; nothing is followed.
void remove_tree(int at, const char* name) {
  if (::unlinkat(at, name, 0) == 0) return;
  const Fd directory(::openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!directory.valid()) return;
  for (const std::string& entry : list_directory(fmt::format("/proc/self/fd/{}", directory.get()))) remove_tree(directory.get(), entry.c_str());
  ::unlinkat(at, name, AT_REMOVEDIR);
}

// Old views go, the newest stay: running sandboxes may still show them.
void remove_old(const std::string& folder) {
  std::vector<std::pair<std::int64_t, std::string>> views;
  for (const std::string& name : list_directory(folder)) {
    if (name.starts_with(".")) continue;
    struct stat status {};
    if (::lstat(path::join(folder, name).c_str(), &status) == 0) views.emplace_back(status.st_mtim.tv_sec, name);
  }
  std::ranges::sort(views, std::greater{});
  const Fd at(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  constexpr std::int64_t age_min_s = 30 * 24 * 3600;
  for (std::size_t i = views_kept; i < views.size(); ++i) {
    if (views.front().first - views[i].first > age_min_s) remove_tree(at.get(), views[i].second.c_str());
  }
}

Result<void> make(const View& view, const std::string& folder, const std::string& place) {
  TRY(make_private_directories(folder).context("preparing /etc for sandboxes"));
  std::string temporary = place + ".XXXXXX";
  if (::mkdtemp(temporary.data()) == nullptr) return system_error("cannot create a directory in " + folder, errno);
  ::chmod(temporary.c_str(), 0755);
  TRY(view.copy_to(temporary).context("preparing /etc for sandboxes"));
  // Another start may have been first; its view is as good.
  if (::rename(temporary.c_str(), place.c_str()) != 0) {
    const Fd at(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    remove_tree(at.get(), path::name(temporary).c_str());
    if (::access(place.c_str(), F_OK) != 0) return system_error("cannot create " + place, errno);
  }
  remove_old(folder);
  return {};
}

}  // namespace

Result<std::string> make_etc_view(const EtcRequest& request, const std::string& etc, const std::string& state_directory, KnownFiles& files) {
  View view(request, etc, files);
  const std::string folder = path::join(state_directory, "etc");
  const std::string memo = path::join(folder, ".last");
  const std::string asked = view.request();
  if (const auto known = recall_etc_view(memo, asked, etc)) {
    std::string place = path::join(folder, *known);
    if (files.look(place).kind == FileKind::directory) return place;
  }

  // From here on it is the first start since something changed.

  const std::int64_t now = wall_clock().tv_sec;
  view.look();
  const std::string name = view.digest();
  std::string place = path::join(folder, name);
  if (::access(place.c_str(), F_OK) != 0) TRY(make(view, folder, place));
  remember_etc_view(memo, asked, name, view.sources(), now);
  return place;
}

}  // namespace paddock
