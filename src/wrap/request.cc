#include "wrap/request.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "plan/strict_json.h"
#include "policy/words.h"

namespace paddock {

template <>
std::span<const Word<WrapMode>> words_of<WrapMode>() {
  static constexpr Word<WrapMode> words[] = {{WrapMode::read_only, "read-only"}, {WrapMode::workspace_write, "workspace-write"}, {WrapMode::unrestricted, "unrestricted"}};
  return words;
}

namespace {

using codec::Json;
using codec::Problem;

constexpr int depth_max = 4;
constexpr std::string_view required_keys[] = {"command", "cwd", "workspace_root", "mode", "network"};
constexpr std::string_view optional_keys[] = {"writable_roots", "mask_paths", "temp", "environment"};

enum class Network { all, none, local };  // the request's words for NetworkMode

}  // namespace

template <>
std::span<const Word<Network>> words_of<Network>() {
  static constexpr Word<Network> words[] = {{Network::all, "all"}, {Network::none, "none"}, {Network::local, "local"}};
  return words;
}

namespace {

NetworkMode mode_of(Network network) {
  switch (network) {
    case Network::all: return NetworkMode::on;
    case Network::none: return NetworkMode::off;
    case Network::local: return NetworkMode::local;
  }
  return NetworkMode::off;
}

class RequestReader {
 public:
  RequestReader(const Json& json, Problem& problem) : json_(json), problem_(problem) {}

  WrapRequest read() {
    check_keys();
    read_command();
    read_path("cwd", request_.cwd);
    read_path("workspace_root", request_.workspace_root);
    read_paths("writable_roots", wrap_roots_max, request_.writable_roots);
    read_paths("mask_paths", wrap_masks_max, request_.mask_paths);
    read_word("mode", request_.mode);
    Network network = Network::none;
    read_word("network", network);
    request_.network = mode_of(network);
    request_.temp_stated = json_.contains("temp");
    if (request_.mode == WrapMode::unrestricted) request_.temp = Temp::host;
    if (request_.temp_stated) read_word("temp", request_.temp);
    read_environment();
    if (request_.workspace_root == "/" && request_.mode == WrapMode::workspace_write) problem_.say("workspace_root", "is the whole machine: mode \"unrestricted\" says that");
    return std::move(request_);
  }

 private:
  static std::vector<std::string> known_keys() {
    std::vector<std::string> known(std::begin(required_keys), std::end(required_keys));
    known.insert(known.end(), std::begin(optional_keys), std::end(optional_keys));
    return known;
  }

  void check_keys() {
    const std::vector<std::string> known = known_keys();
    for (const auto& [name, value] : json_.items()) {
      if (std::ranges::find(known, name) != known.end()) continue;
      const auto near = nearest(name, known);
      problem_.say(visible(name), near ? fmt::format("no such key; did you mean \"{}\"?", *near) : fmt::format("no such key; there are {}", join(known, ", ")));
    }
    for (const std::string_view name : required_keys) {
      if (!json_.contains(name)) problem_.say(name, "is missing");
    }
  }

  // Null when it is absent or something was wrong before.
  const Json* find(std::string_view name) const {
    const auto found = json_.find(name);
    return found == json_.end() || !problem_.text.empty() ? nullptr : &*found;
  }

  // A string that fits into an argument; empty and a problem otherwise.
  std::string text(const Json& json, const std::string& place, std::size_t bytes_max) {
    if (!json.is_string()) return problem_.say(place, fmt::format("must be a string, not {}", json.type_name())), std::string();
    const auto& said = json.get_ref<const std::string&>();
    if (said.find('\0') != std::string::npos) problem_.say(place, "holds a NUL byte");
    if (said.size() > bytes_max) problem_.say(place, fmt::format("has {} bytes, more than {}", said.size(), bytes_max));
    return said;
  }

  std::string path(const Json& json, const std::string& place) {
    const std::string said = text(json, place, wrap_path_bytes_max);
    if (!problem_.text.empty()) return {};
    if (!path::is_absolute(said)) problem_.say(place, fmt::format("must be an absolute path, not \"{}\"", visible(said)));
    for (const std::string& part : split(said, '/')) {
      if (part == "..") problem_.say(place, fmt::format("\"..\" is taken differently by different readers: write {} without it", visible(said)));
    }
    return path::normal(said);
  }

  template <typename Take>
  void each(std::string_view name, std::size_t items_max, Take take) {
    const Json* list = find(name);
    if (list == nullptr) return;
    if (!list->is_array()) return problem_.say(name, fmt::format("must be a list, not {}", list->type_name()));
    if (list->size() > items_max) return problem_.say(name, fmt::format("has {} entries, more than {}", list->size(), items_max));
    for (std::size_t i = 0; i < list->size() && problem_.text.empty(); ++i) take((*list)[i], fmt::format("{}[{}]", name, i));
  }

  void read_command() {
    each("command", wrap_words_max, [&](const Json& json, const std::string& place) { request_.command.push_back(text(json, place, wrap_word_bytes_max)); });
    if (problem_.text.empty() && request_.command.empty()) problem_.say("command", "is empty: name a program");
    if (problem_.text.empty() && request_.command.front().empty()) problem_.say("command[0]", "is empty: name a program");
  }

  void read_path(std::string_view name, std::string& into) {
    if (const Json* json = find(name)) into = path(*json, std::string(name));
  }

  void read_paths(std::string_view name, std::size_t items_max, std::vector<std::string>& into) {
    each(name, items_max, [&](const Json& json, const std::string& place) {
      into.push_back(path(json, place));
      if (into.back() == "/") problem_.say(place, "is the whole machine");
    });
  }

  template <typename T>
  void read_word(std::string_view name, T& into) {
    const Json* json = find(name);
    if (json == nullptr) return;
    const std::string said = text(*json, std::string(name), wrap_word_bytes_max);
    if (!problem_.text.empty()) return;
    const auto value = value_of<T>(said);
    if (value) into = *value;
    else problem_.say(name, fmt::format("must be one of {}, not \"{}\"", join(all_words<T>(), ", "), visible(said)));
  }

  void read_environment() {
    const Json* object = find("environment");
    if (object == nullptr) return;
    if (!object->is_object()) return problem_.say("environment", fmt::format("must be an object of names and values, not {}", object->type_name()));
    if (object->size() > wrap_variables_max) return problem_.say("environment", fmt::format("has {} entries, more than {}", object->size(), wrap_variables_max));
    for (const auto& [name, value] : object->items()) {
      const std::string place = fmt::format("environment.{}", visible(name));
      if (name.empty() || name.find_first_of(std::string_view("=\0", 2)) != std::string::npos) problem_.say(place, "is no name of a variable");
      std::string said = text(value, place, wrap_word_bytes_max);
      if (name.size() + said.size() + 1 > wrap_word_bytes_max) problem_.say(place, fmt::format("has more than {} bytes", wrap_word_bytes_max));
      request_.environment.emplace(name, std::move(said));
    }
  }

  const Json& json_;
  Problem& problem_;
  WrapRequest request_;
};

}  // namespace

Result<WrapRequest> read_wrap_request(std::string_view text) {
  if (text.size() > wrap_request_bytes_max) return error(ErrorCode::usage, fmt::format("the request has more than {} bytes", wrap_request_bytes_max));
  Problem problem;
  const Json json = codec::parse_strictly(text, depth_max, problem);
  WrapRequest request;
  if (problem.text.empty()) request = RequestReader(json, problem).read();
  if (!problem.text.empty()) return error(ErrorCode::usage, "the request: " + problem.text, "docs/wrap.md and wrap.schema.json describe it");
  return request;
}

bool confines_nothing(const WrapRequest& request) {
  return request.mode == WrapMode::unrestricted && request.network == NetworkMode::on && request.mask_paths.empty() && request.temp == Temp::host;
}

}  // namespace paddock
