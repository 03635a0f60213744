#include <fmt/core.h>

#include "plan/codec_text.h"
#include "plan/strict_json.h"
#include "policy/words.h"
#include "wrap/wrapped.h"

namespace paddock {
namespace {

using codec::Json;
using codec::Problem;

constexpr std::string_view schema = "paddock.wrapped/1";
constexpr int depth_max = 5;

Json texts(const std::vector<std::string>& all) {
  Json array = Json::array();
  for (const std::string& text : all) array.push_back(json_text_of(text));
  return array;
}

// Pairs, not an object: names may be any bytes, and their order is the map's.
Json pairs(const std::map<std::string, std::string>& all) {
  Json array = Json::array();
  for (const auto& [name, value] : all) array.push_back({json_text_of(name), json_text_of(value)});
  return array;
}

Json request_of(const WrapRequest& request) {
  Json json = Json::object();
  json["cwd"] = json_text_of(request.cwd);
  json["workspace_root"] = json_text_of(request.workspace_root);
  json["writable_roots"] = texts(request.writable_roots);
  json["mode"] = static_cast<int>(request.mode);
  json["network"] = word_of(request.network);
  json["mask_paths"] = texts(request.mask_paths);
  json["temp"] = word_of(request.temp);
  json["temp_stated"] = request.temp_stated;
  json["environment"] = pairs(request.environment);
  return json;
}

// Reads what write_wrapped wrote; anything else is a problem, never a fault.
class WrappedReader {
 public:
  WrappedReader(const Json& json, Problem& problem) : json_(json), problem_(problem) {}

  Wrapped read() {
    Wrapped wrapped;
    if (text(at(json_, "schema")) != schema) problem_.say("schema", "is another one");
    const Json& request = at(json_, "request");
    wrapped.request.cwd = text(at(request, "cwd"));
    wrapped.request.workspace_root = text(at(request, "workspace_root"));
    wrapped.request.writable_roots = texts_of(at(request, "writable_roots"));
    wrapped.request.mode = static_cast<WrapMode>(number(at(request, "mode"), static_cast<int>(WrapMode::unrestricted)));
    wrapped.request.network = word<NetworkMode>(at(request, "network"));
    wrapped.request.mask_paths = texts_of(at(request, "mask_paths"));
    wrapped.request.temp = word<Temp>(at(request, "temp"));
    wrapped.request.temp_stated = at(request, "temp_stated") == Json(true);
    wrapped.request.environment = pairs_of(at(request, "environment"));
    wrapped.environment = pairs_of(at(json_, "environment"));
    wrapped.uid = static_cast<std::uint32_t>(number(at(json_, "uid"), UINT32_MAX));
    wrapped.network = word<NetworkMode>(at(json_, "network"));
    read_roots(wrapped);
    wrapped.hidden = texts_of(at(json_, "hidden"));
    for (const std::string& name : texts_of(at(json_, "guarantees"))) {
      if (const auto guarantee = guarantee_named(name)) wrapped.guarantees.push_back(*guarantee);
      else problem_.say("guarantees", "an unknown one");
    }
    return wrapped;
  }

 private:
  const Json& at(const Json& object, const char* name) {
    static const Json nothing;
    if (!object.is_object() || !object.contains(name)) return problem_.say(name, "is missing"), nothing;
    return object.at(name);
  }

  std::string text(const Json& json) {
    const auto bytes = json.is_string() ? bytes_of_json_text(json.get_ref<const std::string&>()) : std::nullopt;
    if (!bytes) problem_.say({}, "a text is none");
    return bytes.value_or("");
  }

  std::uint64_t number(const Json& json, std::uint64_t most) {
    if (json.is_number_unsigned() && json.get<std::uint64_t>() <= most) return json.get<std::uint64_t>();
    problem_.say({}, "a number is none");
    return 0;
  }

  template <typename T>
  T word(const Json& json) {
    const auto value = value_of<T>(text(json));
    if (!value) problem_.say({}, "a word is none");
    return value.value_or(T{});
  }

  std::vector<std::string> texts_of(const Json& json) {
    std::vector<std::string> all;
    if (!json.is_array()) problem_.say({}, "a list is none");
    for (std::size_t i = 0; json.is_array() && i < json.size(); ++i) all.push_back(text(json[i]));
    return all;
  }

  std::map<std::string, std::string> pairs_of(const Json& json) {
    std::map<std::string, std::string> all;
    if (!json.is_array()) problem_.say({}, "a list is none");
    for (std::size_t i = 0; json.is_array() && i < json.size(); ++i) {
      const std::vector<std::string> pair = texts_of(json[i]);
      if (pair.size() == 2) all.emplace(pair[0], pair[1]);
      else problem_.say({}, "a pair is none");
    }
    return all;
  }

  void read_roots(Wrapped& wrapped) {
    const Json& roots = at(json_, "roots");
    if (!roots.is_array()) return problem_.say("roots", "a list is none");
    for (const Json& root : roots) {
      wrapped.roots.push_back({text(at(root, "path")), {number(at(root, "device"), UINT64_MAX), number(at(root, "inode"), UINT64_MAX)}});
    }
  }

  const Json& json_;
  Problem& problem_;
};

}  // namespace

std::string write_wrapped(const Wrapped& wrapped) {
  Json json = Json::object();
  json["schema"] = schema;
  json["request"] = request_of(wrapped.request);
  json["environment"] = pairs(wrapped.environment);
  json["uid"] = wrapped.uid;
  json["network"] = word_of(wrapped.network);
  json["roots"] = Json::array();
  for (const WrappedRoot& root : wrapped.roots) {
    json["roots"].push_back({{"path", json_text_of(root.path)}, {"device", root.identity.device}, {"inode", root.identity.inode}});
  }
  json["hidden"] = texts(wrapped.hidden);
  json["guarantees"] = codec::json_of(wrapped.guarantees);
  return json.dump();
}

Result<Wrapped> read_wrapped(std::string_view text) {
  Problem problem;
  const Json json = codec::parse_strictly(text, depth_max, problem);
  Wrapped wrapped;
  if (problem.text.empty()) wrapped = WrappedReader(json, problem).read();
  if (!problem.text.empty()) return error(ErrorCode::cannot_start, "what was stored for this command was written by another version of paddock (" + problem.text + ")", "wrap it again");
  return wrapped;
}

}  // namespace paddock
