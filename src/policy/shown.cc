#include "policy/shown.h"

#include <initializer_list>
#include <utility>

#include "base/path.h"

namespace paddock {

namespace {

std::string in_units(std::uint64_t value, std::initializer_list<std::pair<std::uint64_t, std::string_view>> units) {
  for (const auto& [size, name] : units) {
    if (value % size == 0) return std::to_string(value / size) + std::string(name);
  }
  return std::to_string(value);
}

std::string in_thousandths(std::uint64_t value) {
  std::string text = std::to_string(value / 1000);
  if (value % 1000 == 0) return text;
  std::string rest = std::to_string(1000 + value % 1000).substr(1);
  while (rest.back() == '0') rest.pop_back();
  return text + "." + rest;
}

}  // namespace

std::string shown(const PathRule& rule) {
  const bool is_whole = rule.base.empty() || path::is_absolute(rule.path) || rule.path == "~" || rule.path.starts_with("~/");
  return (is_whole ? rule.path : path::normal(rule.path, rule.base)) + (rule.optional ? "?" : "");
}

std::string shown(const PatternRule& rule) { return (rule.negated ? "!" : "") + rule.pattern; }

std::string shown(const VariableRule& rule) { return rule.name + (rule.value ? "=..." : ""); }

std::string shown(const NamedRule& rule) { return rule.name; }

std::string shown_limit(std::string_view key, std::uint64_t value) {
  if (key == "limits.memory") return in_units(value, {{std::uint64_t{1} << 40, "T"}, {1 << 30, "G"}, {1 << 20, "M"}, {1 << 10, "K"}});
  if (key == "limits.cpus") return in_thousandths(value);
  if (key == "limits.wall_time") return in_units(value, {{86'400'000, "d"}, {3'600'000, "h"}, {60'000, "m"}, {1000, "s"}, {1, "ms"}});
  return std::to_string(value);
}

std::vector<PolicyRow> rows_of(const Policy& policy) {
  std::vector<PolicyRow> rows;
  for_each_field([&]<Sense S, typename T>(Field<S, T> field) { rows.push_back({std::string(field.key), S == Sense::opens || S == Sense::closes, said_of(field)}); }, policy);
  return rows;
}

std::string_view tier_of(OriginKind kind) {
  switch (kind) {
    case OriginKind::built_in: return "built in";
    case OriginKind::profile: return "profile";
    case OriginKind::ceiling: return "ceiling";
    case OriginKind::user_config: return "user";
    case OriginKind::project_config: return "project";
    case OriginKind::repository_config: return "repository";
    case OriginKind::flag: return "flag";
    case OriginKind::harness: return "harness";
    case OriginKind::derived: return "derived";
  }
  return "?";
}

}  // namespace paddock
