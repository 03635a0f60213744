#include "sandbox/state_watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

#include <fmt/core.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "sandbox/json_keys.h"
#include "sandbox/state_links.h"

namespace paddock {
namespace {

constexpr std::size_t names_max = 100'000;

std::vector<std::string> names_in(const std::string& directory) {
  std::vector<std::string> names;
  const Place place = open_place(directory);
  if (!place.parent.valid()) return names;
  const int fd = ::openat(place.parent.get(), place.name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR* open = fd < 0 ? nullptr : ::fdopendir(fd);
  if (open == nullptr) return names;
  while (const dirent* entry = ::readdir(open)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != ".." && names.size() < names_max) names.emplace_back(name);
  }
  ::closedir(open);
  std::ranges::sort(names);
  return names;
}

WatchedText content_of(const std::string& path) {
  WatchedText content;
  const Place place = open_place(path);
  struct stat status {};
  if (!place.parent.valid() || ::fstatat(place.parent.get(), place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return content;
  content.is_there = true;
  const Fd file(::openat(place.parent.get(), place.name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return content;
  auto text = read_all(file.get(), watched_bytes_max);
  content.is_text = text.ok();
  if (text) content.text = std::move(*text);
  return content;
}

std::string text_of(const std::string& path) { return content_of(path).text; }

// Anything at or below it that is not older; looked at as far as a maximum goes.
bool has_new(const std::string& path, const timespec& since, int depth, std::size_t& entries) {
  constexpr int depth_max = 16;
  constexpr std::size_t entries_max = 20'000;
  const Place place = open_place(path);
  struct stat status {};
  if (!place.parent.valid() || ::fstatat(place.parent.get(), place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return false;
  if (status.st_ctim.tv_sec > since.tv_sec || (status.st_ctim.tv_sec == since.tv_sec && status.st_ctim.tv_nsec >= since.tv_nsec)) return true;
  if (!S_ISDIR(status.st_mode) || depth > depth_max) return false;
  return std::ranges::any_of(names_in(path), [&](const std::string& name) { return ++entries < entries_max && has_new(path::join(path, name), since, depth + 1, entries); });
}

// It is no longer what it was: no file, or a text that our reader and another one may take for different things.
bool is_broken(const WatchedText& now) { return now.is_there && !(now.is_text && is_json_object(now.text)); }

}  // namespace

StateWatch::StateWatch(std::vector<StateTree> trees, const std::string& state_directory) {
  for (StateTree& tree : trees) {
    Before before{std::move(tree), {}, {}, {}, {}};
    before.names = names_in(before.tree.directory);
    for (const WatchedFile& file : before.tree.watch) {
      const std::string place = path::join(before.tree.directory, file.path);
      before.texts.push_back(content_of(place));
      before.baselines.push_back(file.restore.empty() ? StateBaseline() : StateBaseline(state_directory, place, only_keys(before.texts.back().text, file.restore)));
    }
    for (const std::string& secret : before.tree.secrets) before.secrets.push_back(text_of(path::join(before.tree.directory, secret)));
    before_.push_back(std::move(before));
  }
}

std::vector<std::string> StateWatch::new_names() const {
  std::vector<std::string> all;
  for (const Before& before : before_) {
    for (const std::string& name : names_in(before.tree.directory)) {
      if (std::ranges::binary_search(before.names, name) || is_known_name(before.tree.known, name)) continue;
      all.push_back(path::join(before.tree.directory, name));
    }
  }
  return all;
}

std::vector<std::string> StateWatch::new_links(const timespec& since) const {
  std::vector<std::string> all;
  for (const Before& before : before_) {
    for (std::string& path : new_links_out(before.tree.directory, before.tree.named, since)) all.push_back(std::move(path));
  }
  return all;
}

std::vector<PutBackFile> StateWatch::to_put_back() const {
  std::vector<PutBackFile> all;
  for (const Before& before : before_) {
    for (std::size_t i = 0; i < before.tree.watch.size(); ++i) {
      const WatchedFile& file = before.tree.watch[i];
      const WatchedText& was = before.texts[i];
      // A link of the user's, or too large: it cannot be compared.
      if (file.restore.empty() || (was.is_there && !was.is_text)) continue;
      const std::string place = path::join(before.tree.directory, file.path);
      const WatchedText now = content_of(place);
      const bool is_same = now.text == was.text && now.is_there == was.is_there && now.is_text == was.is_text;
      if (is_same && before.baselines[i].text() == only_keys(now.text, file.restore)) continue;
      if (is_broken(now)) {
        all.push_back({place, was.text, {}, true});
        continue;
      }
      // The rest of what was there tells what an entry was before it became one of those.
      PutBack changed = put_back(with_keys_of(was.text, before.baselines[i].text(), file.restore), now.text, file.restore);
      if (!changed.names.empty()) all.push_back({place, std::move(changed.text), std::move(changed.names), false});
    }
  }
  return all;
}

std::vector<std::string> StateWatch::changes(const timespec& since) const {
  std::vector<std::string> lines;
  for (const Before& before : before_) {
    const auto place = [&](const std::string& name) { return path::join(before.tree.directory, name); };
    for (std::size_t i = 0; i < before.tree.watch.size(); ++i) {
      const WatchedFile& file = before.tree.watch[i];
      for (const std::string& key : changed_keys(before.texts[i].text, text_of(place(file.path)), file.keys)) {
        lines.push_back(fmt::format("{}: {} has changed", visible(place(file.path)), visible(key)));
      }
    }
    for (std::size_t i = 0; i < before.tree.secrets.size(); ++i) {
      const std::string path = place(before.tree.secrets[i]);
      if (text_of(path) != before.secrets[i]) lines.push_back(fmt::format("{} has changed: a sign-in was renewed, or is another account's", visible(path)));
    }
    for (const std::string& code : before.tree.code) {
      std::size_t entries = 0;
      if (has_new(place(code), since, 0, entries)) lines.push_back(fmt::format("{} is new or changed, and the host will act on it", visible(place(code))));
    }
  }
  return lines;
}

}  // namespace paddock
