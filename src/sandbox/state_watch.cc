#include "sandbox/state_watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "base/place.h"
#include "base/text.h"

namespace paddock {
namespace {

using nlohmann::json;

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

// Empty where it is no regular file or too large.
std::string text_of(const std::string& path) {
  const Place place = open_place(path);
  if (!place.parent.valid()) return {};
  const Fd file(::openat(place.parent.get(), place.name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  auto text = read_all(file.get(), watched_bytes_max);
  return text ? std::move(*text) : std::string();
}

// Nesting is bounded before the library recurses: its copies and comparisons do.
json parsed(const std::string& text) {
  constexpr int depth_max = 100;
  const auto shallow = [](int depth, json::parse_event_t, json&) { return depth <= depth_max; };
  json value = json::parse(text, shallow, false);
  return value.is_object() ? value : json::object();
}

// Every value that the key names, by its path.
void collect(const json& value, const std::vector<std::string>& key, std::size_t at, const std::string& name, std::map<std::string, json>& found) {
  if (at == key.size()) {
    found[name] = value;
    return;
  }
  if (!value.is_object()) return;
  for (const auto& [member, below] : value.items()) {
    if (key[at] == "*" || key[at] == member) collect(below, key, at + 1, name.empty() ? member : name + "." + member, found);
  }
}

// Absent and empty are the same: programs write empty lists for what is not there.
bool is_nothing(const std::map<std::string, json>& values, const std::string& name) {
  const auto place = values.find(name);
  return place == values.end() || place->second.is_null() || place->second.empty() || place->second == false;
}

void compare(const std::map<std::string, json>& before, const std::map<std::string, json>& after, std::vector<std::string>& changed) {
  std::map<std::string, json> all = before;
  all.insert(after.begin(), after.end());
  for (const auto& [name, value] : all) {
    if (is_nothing(before, name) && is_nothing(after, name)) continue;
    const auto old = before.find(name);
    const auto now = after.find(name);
    const bool same = old != before.end() && now != after.end() && old->second == now->second;
    if (!same && changed.size() < changed_keys_max) changed.push_back(name);
  }
}

}  // namespace

std::vector<std::string> changed_keys(const std::string& before, const std::string& after, const std::vector<std::string>& keys) {
  std::vector<std::string> changed;
  if (before == after) return changed;
  const json old = parsed(before);
  const json now = parsed(after);
  for (const std::string& key : keys) {
    std::map<std::string, json> in_old;
    std::map<std::string, json> in_now;
    const std::vector<std::string> parts = split(key, '.');
    collect(old, parts, 0, {}, in_old);
    collect(now, parts, 0, {}, in_now);
    compare(in_old, in_now, changed);
  }
  return changed;
}

StateWatch::StateWatch(std::vector<StateTree> trees) {
  for (StateTree& tree : trees) {
    Before before{std::move(tree), {}, {}};
    before.names = names_in(before.tree.directory);
    for (const WatchedFile& file : before.tree.watch) before.texts.push_back(text_of(path::join(before.tree.directory, file.path)));
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

std::vector<std::string> StateWatch::changes() const {
  std::vector<std::string> lines;
  for (const Before& before : before_) {
    for (std::size_t i = 0; i < before.tree.watch.size(); ++i) {
      const WatchedFile& file = before.tree.watch[i];
      const std::string place = path::join(before.tree.directory, file.path);
      for (const std::string& key : changed_keys(before.texts[i], text_of(place), file.keys)) {
        lines.push_back(fmt::format("{}: {} has changed", visible(place), visible(key)));
      }
    }
  }
  return lines;
}

}  // namespace paddock
