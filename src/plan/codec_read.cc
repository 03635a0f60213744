#include <algorithm>
#include <limits>

#include <fmt/core.h>

#include "base/text.h"
#include "plan/codec.h"
#include "plan/codec_fields.h"
#include "plan/codec_json.h"
#include "plan/codec_text.h"
#include "plan/codec_words.h"
#include "plan/strict_json.h"

namespace paddock::codec {
namespace {

constexpr int depth_max = 8;  // a plan has four levels

// One object: asked for each of its keys, then whether it has others.
class Reader {
 public:
  Reader(const Json& object, std::string place, Problem& problem) : object_(object), place_(std::move(place)), problem_(problem) {}

  void finish() {
    for (const auto& [name, value] : object_.items()) {
      if (std::ranges::find(names_, name) == names_.end()) problem_.say(at(visible(name)), "no such key");
    }
  }

  template <typename T>
  void field(const char* name, T& value) {
    if (const Json* found = find(name)) read(*found, at(name), value);
  }

  void bytes(const char* name, std::string& value) {
    if (const Json* found = find(name)) read_bytes(*found, at(name), value);
  }

  void octal(const char* name, std::uint32_t& mode) {
    std::string text;
    field(name, text);
    const bool is_octal = text.size() == 4 && text.find_first_not_of("01234567") == std::string::npos;
    if (!is_octal) return problem_.say(at(name), "not four octal digits");
    mode = 0;
    for (const char digit : text) mode = mode << 3 | static_cast<std::uint32_t>(digit - '0');
  }

  void constant(const char* name, int wanted) {
    std::uint64_t value = 0;
    field(name, value);
    if (value != static_cast<std::uint64_t>(wanted)) problem_.say(at(name), fmt::format("{} is not the one that this version reads, {}", value, wanted));
  }

  template <typename T>
  void list(const char* name, std::vector<T>& values, std::size_t items_max) {
    const Json* found = find(name);
    if (found != nullptr && found->size() > items_max) return problem_.say(at(name), fmt::format("more than {} entries", items_max));
    if (found != nullptr) read(*found, at(name), values);
  }

  // A literal has a value; no other has one, not even an empty one.
  void text_or_null(const char* name, std::string& value, bool is_text) {
    if (is_text) return field(name, value);
    const Json* found = find(name);
    if (found != nullptr && !found->is_null()) problem_.say(at(name), "only a literal has a value here");
  }

  template <typename T>
  void read(const Json& json, const std::string& place, T& value) {
    if constexpr (std::same_as<T, std::string>) {
      read_bytes(json, place, value);
      if (value.find('\0') != std::string::npos) problem_.say(place, "a NUL byte");
    } else if constexpr (std::same_as<T, bool>) {
      if (!json.is_boolean()) return problem_.say(place, "not true or false");
      value = json.get<bool>();
    } else if constexpr (std::unsigned_integral<T>) {
      if (!json.is_number_unsigned() || json.get<std::uint64_t>() > std::numeric_limits<T>::max()) return problem_.say(place, "not a whole number in its range");
      value = json.get<T>();
    } else if constexpr (std::is_enum_v<T>) {
      read_word(json, place, value);
    } else {
      if (!json.is_object()) return problem_.say(place, "not an object");
      Reader inner(json, place, problem_);
      fields(inner, value);
      inner.finish();
    }
  }

  template <typename T>
  void read(const Json& json, const std::string& place, std::vector<T>& values) {
    if (!json.is_array()) return problem_.say(place, "not a list");
    values.clear();
    values.reserve(json.size());
    for (std::size_t i = 0; i < json.size() && problem_.text.empty(); ++i) read(json[i], fmt::format("{}[{}]", place, i), values.emplace_back());
  }

 private:
  std::string at(std::string_view name) const { return place_.empty() ? std::string(name) : fmt::format("{}.{}", place_, name); }

  const Json* find(const char* name) {
    names_.emplace_back(name);
    const auto found = object_.find(name);
    if (found != object_.end()) return &*found;
    problem_.say(at(name), "is missing");
    return nullptr;
  }

  void read_bytes(const Json& json, const std::string& place, std::string& value) {
    if (!json.is_string()) return problem_.say(place, "not a string");
    std::optional<std::string> bytes = bytes_of_json_text(json.get_ref<const std::string&>());
    if (!bytes) return problem_.say(place, "bytes are escaped that need not be");
    value = std::move(*bytes);
  }

  template <typename T>
  void read_word(const Json& json, const std::string& place, T& value) {
    std::string word;
    read_bytes(json, place, word);
    std::optional<T> known;
    if constexpr (std::same_as<T, Guarantee>) known = guarantee_named(word);
    else known = value_of<T>(word);
    if (!known) return problem_.say(place, fmt::format("\"{}\" is none of its words", visible(word)));
    value = *known;
  }

  const Json& object_;
  std::string place_;
  Problem& problem_;
  std::vector<std::string_view> names_;
};

Error refused(std::string_view what) { return error(ErrorCode::cannot_start, fmt::format("this is not a plan: {}", what)); }

}  // namespace
}  // namespace paddock::codec

namespace paddock {

Result<Plan> read_plan(std::string_view text) {
  using namespace codec;
  if (text.size() > plan_json_bytes_max) return refused(fmt::format("it has more than {} bytes", plan_json_bytes_max));
  Problem problem;
  const Json json = parse_strictly(text, depth_max, problem);
  Plan plan;
  if (problem.text.empty()) Reader({}, {}, problem).read(json, {}, plan);
  if (!problem.text.empty()) return refused(problem.text);
  return plan;
}

}  // namespace paddock
