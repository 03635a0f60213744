// Parts of a policy as a person would write them in a file, for messages and tables. Never the value of a
// variable: only its name. Pure; not escaped: whoever prints it does that.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "policy/fields.h"
#include "policy/words.h"

namespace paddock {

std::string shown(const PathRule& rule);      // absolute where its base is known, with its "?"
std::string shown(const PatternRule& rule);   // with its "!"
std::string shown(const VariableRule& rule);  // "NAME", or "NAME=..." for one that is set
std::string shown(const NamedRule& rule);
std::string shown_limit(std::string_view key, std::uint64_t value);  // "8G", "1.5", "2048", "2h", by the field's key

// One thing that was said of a field: a scalar's value or one entry of a list.
struct Said {
  std::string text;
  Origin origin;
  friend bool operator==(const Said&, const Said&) = default;
};

// Empty while nobody has said anything.
template <Sense S, typename T>
std::vector<Said> said_of(const Field<S, T>& field) {
  std::vector<Said> all;
  if constexpr (S == Sense::opens || S == Sense::closes) {
    for (const auto& rule : field.value) all.push_back({shown(rule), rule.origin});
  } else if (field.value.stated) {
    if constexpr (S == Sense::ordered) all.push_back({std::string(word_of(field.value.value)), field.value.origin});
    if constexpr (S == Sense::permission) all.push_back({field.value.value ? "true" : "false", field.value.origin});
    if constexpr (S == Sense::maximum) all.push_back({shown_limit(field.key, field.value.value), field.value.origin});
  }
  return all;
}

// One field of a policy, in the order of fields.h.
struct PolicyRow {
  std::string key;
  bool is_list = false;
  std::vector<Said> said;
  friend bool operator==(const PolicyRow&, const PolicyRow&) = default;
};
std::vector<PolicyRow> rows_of(const Policy& policy);

// "ceiling", "user", "project", "repository", "flag", "profile", "harness", "built in", "derived".
std::string_view tier_of(OriginKind kind);

}  // namespace paddock
