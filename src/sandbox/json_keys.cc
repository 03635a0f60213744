#include "sandbox/json_keys.h"

#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "base/text.h"

namespace paddock {
namespace {

using json = nlohmann::ordered_json;
using Path = std::vector<std::string>;
using Values = std::map<Path, json>;

constexpr int depth_max = 100;

// Programs in JavaScript write half of a pair as an escape where they have cut a text, and read it again; the
// library refuses it. Here it becomes U+FFFD.
std::string without_lone_halves(std::string_view text) {
  std::string whole(text);
  const auto half_at = [&](std::size_t at) -> int {
    const bool is_escape = at + 6 <= whole.size() && whole[at] == '\\' && whole[at + 1] == 'u' && (whole[at + 2] == 'd' || whole[at + 2] == 'D');
    if (!is_escape) return 0;
    const char third = static_cast<char>(whole[at + 3] | 0x20);
    if (third == '8' || third == '9' || third == 'a' || third == 'b') return 1;
    return third >= 'c' && third <= 'f' ? 2 : 0;
  };
  for (std::size_t at = whole.find('\\'); at != std::string::npos; at = whole.find('\\', at)) {
    const int half = half_at(at);
    if (half == 1 && half_at(at + 6) == 2) at += 12;
    else if (half != 0) whole.replace(at, 6, "\\ufffd"), at += 6;
    else at += 2;
  }
  return whole;
}

// Nesting is bounded before the library recurses: its copies and comparisons do.
json parsed(std::string_view text) {
  const auto shallow = [](int depth, json::parse_event_t, json&) { return depth <= depth_max; };
  json value = json::parse(without_lone_halves(text), shallow, false);
  return value.is_object() ? value : json::object();
}

// The first name that an object of the text has twice: readers differ in which one counts.
std::optional<std::string> repeated_name(std::string_view text) {
  std::vector<std::set<std::string>> open;  // the names so far of the objects around the place
  std::optional<std::string> repeated;
  const auto look = [&](int depth, json::parse_event_t event, json& value) {
    if (event == json::parse_event_t::object_start) open.emplace_back();
    else if (event == json::parse_event_t::object_end) open.pop_back();
    else if (event == json::parse_event_t::key && !open.back().insert(value.get<std::string>()).second && !repeated) repeated = value.get<std::string>();
    return depth <= depth_max;
  };
  const json whole = json::parse(without_lone_halves(text), look, false);
  return whole.is_object() ? repeated : std::nullopt;
}

// One step of a key: a name or `*`, and what the value has to be.
struct Step {
  std::string name;
  std::string member;  // empty: no condition
  std::string value;
};

Step step_of(const std::string& text) {
  const auto open = text.find('[');
  const auto equals = text.find('=', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || equals == std::string::npos || text.back() != ']') return {text, {}, {}};
  return {text.substr(0, open), text.substr(open + 1, equals - open - 1), text.substr(equals + 1, text.size() - equals - 2)};
}

bool holds(const Step& step, const json& value) {
  if (step.member.empty()) return true;
  if (!value.is_object()) return false;
  const auto member = value.find(step.member);
  return member != value.end() && member->is_string() && member->get_ref<const std::string&>() == step.value;
}

// Every value that the key names, by its path.
void collect(const json& value, const std::vector<std::string>& key, Path& path, Values& found) {
  if (path.size() == key.size()) {
    found[path] = value;
    return;
  }
  if (!value.is_object()) return;
  const Step step = step_of(key[path.size()]);
  for (const auto& [member, below] : value.items()) {
    if ((step.name != "*" && step.name != member) || !holds(step, below)) continue;
    path.push_back(member);
    collect(below, key, path, found);
    path.pop_back();
  }
}

// "!key": what it names refuses something.
bool denies(const std::string& key) { return key.starts_with('!'); }

Values values_of(const json& value, const std::string& key) {
  Values found;
  Path path;
  collect(value, split(std::string_view(key).substr(denies(key) ? 1 : 0), '.'), path, found);
  return found;
}

// Absent and empty are the same: programs write empty lists for what is not there.
bool is_nothing(const json* value) { return value == nullptr || value->is_null() || value->empty() || *value == false; }

const json* value_at(const json& value, const Path& path) {
  const json* at = &value;
  for (const std::string& name : path) {
    if (!at->is_object()) return nullptr;
    const auto below = at->find(name);
    if (below == at->end()) return nullptr;
    at = &*below;
  }
  return at;
}

json* place_of(json& value, const Path& path) { return const_cast<json*>(value_at(value, path)); }

// Whatever order the members stand in.
bool same(const json& a, const json& b) { return nlohmann::json(a) == nlohmann::json(b); }

// The paths that a key names in either and that differ. A condition may hold in one of them alone.
std::vector<Path> differing(const json& before, const json& after, const std::string& key) {
  Values all = values_of(before, key);
  all.merge(values_of(after, key));
  std::vector<Path> paths;
  for (const auto& [path, unused] : all) {
    const json* old = value_at(before, path);
    const json* now = value_at(after, path);
    if (is_nothing(old) && is_nothing(now)) continue;
    if (old == nullptr || now == nullptr || !same(*old, *now)) paths.push_back(path);
  }
  return paths;
}

// With the objects on the way to them.
void put_values(json& into, const Values& values) {
  for (const auto& [path, value] : values) {
    json* at = &into;
    for (const std::string& name : path) {
      if (!at->is_object()) *at = json::object();
      at = &(*at)[name];
    }
    *at = value;
  }
}

std::string written(const json& value, std::string_view like) {
  constexpr auto replace = json::error_handler_t::replace;
  const bool is_indented = like.find("\n ") != std::string_view::npos;
  return value.dump(is_indented ? 2 : -1, ' ', false, replace) + (like.ends_with('\n') ? "\n" : "");
}

}  // namespace

bool is_json_object(std::string_view text) {
  bool is_shallow = true;
  const auto measure = [&](int depth, json::parse_event_t, json&) {
    is_shallow = is_shallow && depth <= depth_max;
    return is_shallow;
  };
  if (trim(text).empty()) return true;
  return json::parse(without_lone_halves(text), measure, false).is_object() && is_shallow;
}

std::vector<std::string> changed_keys(const std::string& before, const std::string& after, const std::vector<std::string>& keys) {
  std::vector<std::string> changed;
  if (before == after) return changed;
  const json old = parsed(before);
  const json now = parsed(after);
  for (const std::string& key : keys) {
    for (const Path& path : differing(old, now, key)) {
      if (changed.size() < changed_keys_max) changed.push_back(join(path, "."));
    }
  }
  return changed;
}

PutBack put_back(const std::string& before, const std::string& after, const std::vector<std::string>& keys) {
  PutBack result{after, {}};
  if (before == after) return result;
  const json old = parsed(before);
  json now = parsed(after);
  for (const std::string& key : keys) {
    for (const Path& path : differing(old, now, key)) {
      json* value = place_of(now, path);
      const json* was = value_at(old, path);
      if (is_nothing(value) && !(denies(key) && !is_nothing(was))) continue;
      if (was != nullptr) put_values(now, {{path, *was}});
      else place_of(now, Path(path.begin(), path.end() - 1))->erase(path.back());
      result.names.push_back(join(path, "."));
    }
  }
  if (auto repeated = repeated_name(after); repeated && result.names.empty()) result.names.push_back(std::move(*repeated));
  if (!result.names.empty()) result.text = written(now, after);
  return result;
}

std::string only_keys(const std::string& text, const std::vector<std::string>& keys) {
  const json all = parsed(text);
  json kept = json::object();
  for (const std::string& key : keys) put_values(kept, values_of(all, key));
  return kept.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string with_keys_of(const std::string& text, const std::string& kept, const std::vector<std::string>& keys) {
  json whole = parsed(text);
  const json from = parsed(kept);
  for (const std::string& key : keys) {
    for (const auto& [path, value] : values_of(whole, key)) place_of(whole, Path(path.begin(), path.end() - 1))->erase(path.back());
  }
  for (const std::string& key : keys) put_values(whole, values_of(from, key));
  return whole.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace paddock
