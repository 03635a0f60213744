#include "harness/state_names.h"

#include <algorithm>

#include "base/path.h"
#include "base/text.h"

namespace paddock {
namespace {

std::string first_name(std::string_view path) { return std::string(path.substr(0, path.find('/'))); }

bool holds(const std::vector<std::string>& patterns, std::string_view name) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) { return name_matches(first_name(pattern), name); });
}

bool is_code(const StatePath& state, std::string_view name) {
  return std::ranges::any_of(state.code, [&](const CodePath& code) { return name_matches(first_name(code.path), name); });
}

std::vector<std::string> seeds_in(const StatePath& state, const Manifest& harness) {
  std::vector<std::string> names;
  const auto first = std::ranges::find(harness.state, StateClass::state, &StatePath::state_class);
  if (first == harness.state.end() || !(*first == state)) return names;
  for (const SeedFile& seed : harness.seeds) {
    if (seed.path.starts_with("{state}/")) names.push_back(first_name(seed.path.substr(8)));
  }
  return names;
}

}  // namespace

bool is_moved(const StatePath& state, const std::map<std::string, std::string>& environment) {
  const auto moved = environment.find(state.override);
  return !state.override.empty() && moved != environment.end() && path::is_absolute(moved->second);
}

std::string place_of(const StatePath& state, const std::map<std::string, std::string>& environment, const std::string& home) {
  if (!is_moved(state, environment)) return path::normal(path::expand_home(state.path, home));
  return path::normal(path::join(environment.at(state.override), state.override_child));
}

std::vector<std::string> known_names(const StatePath& state, const Manifest& harness) {
  std::vector<std::string> all = state.data;
  for (const std::string& name : state.transcripts) all.push_back(first_name(name));
  for (const std::string& name : state.secrets) all.push_back(first_name(name));
  for (const CodePath& code : state.code) all.push_back(first_name(code.path));
  for (const WatchedFile& watched : state.watch) all.push_back(first_name(watched.path));
  for (std::string& name : seeds_in(state, harness)) all.push_back(std::move(name));
  return all;
}

bool is_known_name(const std::vector<std::string>& known, std::string_view name) {
  return std::ranges::any_of(known, [&](const std::string& one) { return name_matches(one, name); });
}

NameClass class_of(const StatePath& state, const Manifest& harness, std::string_view name) {
  if (holds(state.secrets, name)) return NameClass::secret;
  if (is_code(state, name)) return NameClass::code;
  if (holds(state.transcripts, name)) return NameClass::transcript;
  return is_known_name(known_names(state, harness), name) ? NameClass::data : NameClass::unknown;
}

std::string_view word_of(NameClass name_class) {
  switch (name_class) {
    case NameClass::secret: return "secret";
    case NameClass::code: return "code";
    case NameClass::data: return "data";
    case NameClass::transcript: return "transcript";
    case NameClass::unknown: return "unknown";
  }
  return {};
}

}  // namespace paddock
