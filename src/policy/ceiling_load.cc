#include "policy/ceiling_load.h"

#include <algorithm>
#include <utility>

#include "base/path.h"
#include "base/text.h"
#include "policy/load.h"
#include "policy/relaxation_names.h"
#include "policy/toml_reader.h"

namespace paddock {

namespace {

Error cannot(const Origin& origin, std::string what, std::string hint = {}) {
  return error(ErrorCode::cannot_start, origin.where + ": " + std::move(what), std::move(hint));
}

std::vector<std::string> known_relaxations(const GuaranteeNames& guarantees) {
  std::vector<std::string> all;
  for (const std::string_view name : relaxation_names) all.emplace_back(name);
  for (const std::string& name : guarantees.can_be_given_up) all.push_back(std::string(without_prefix) + name);
  return all;
}

Result<void> check_forbidden(const std::vector<NamedRule>& forbid, const GuaranteeNames& guarantees) {
  const std::vector<std::string> known = known_relaxations(guarantees);
  for (const NamedRule& rule : forbid) {
    const bool is_known = std::ranges::any_of(known, [&](const std::string& name) { return name_matches(rule.name, name); });
    if (!is_known) return cannot(rule.origin, "no relaxation is called \"" + visible(rule.name) + "\"" + did_you_mean(rule.name, known));
  }
  return {};
}

Result<void> check_plain(const std::vector<PathRule>& rules) {
  for (const PathRule& rule : rules) {
    if (rule.optional) return cannot(rule.origin, "\"" + rule.path + "?\": a ceiling names places, there or not", "leave out the question mark");
    if (!path::is_absolute(rule.path) && rule.path != "~" && !rule.path.starts_with("~/")) {
      return cannot(rule.origin, "\"" + rule.path + "\" must be a full path, or begin with ~/");
    }
  }
  return {};
}

Result<void> check_pattern_kinds(const std::vector<PatternRule>& rules) {
  for (const PatternRule& rule : rules) {
    if (rule.negated) return cannot(rule.origin, "\"!" + rule.pattern + "\" opens something, and a ceiling only closes");
  }
  return {};
}

template <typename T>
void take_list(const PolicyFile& file, std::string_view key, std::vector<T>& from, Sourced<std::vector<T>>& into) {
  const Origin* origin = file.list_origin(key);
  if (origin != nullptr) into.state(std::exchange(from, {}), *origin);
}

void take_names(const PolicyFile& file, std::string_view key, const std::vector<NamedRule>& rules, Sourced<std::vector<std::string>>& into) {
  const Origin* origin = file.list_origin(key);
  if (origin == nullptr) return;
  std::vector<std::string> names;
  for (const NamedRule& rule : rules) names.push_back(rule.name);
  into.state(std::move(names), *origin);
}

}  // namespace

Result<Ceiling> read_ceiling(std::string_view toml, std::string_view where, const GuaranteeNames& guarantees) {
  PolicyFile file = TRY(read_policy(toml, where, OriginKind::ceiling, "/"));
  TRY(check_given_up(file.policy, guarantees, ErrorCode::cannot_start));
  TRY(check_pattern_kinds(file.policy.filesystem.protect));
  TRY(check_forbidden(file.forbid, guarantees));
  Ceiling ceiling;
  for (const VariableRule& rule : file.policy.variables) {
    if (rule.value) return cannot(rule.origin, "a ceiling sets no variables; \"pass\" lists those that may be passed or set");
  }
  for (const std::vector<PathRule>* rules : {&file.policy.filesystem.read, &file.policy.filesystem.write, &file.workspaces.value}) TRY(check_plain(*rules));
  take_list(file, "filesystem.read", file.policy.filesystem.read, ceiling.read);
  take_list(file, "filesystem.write", file.policy.filesystem.write, ceiling.write);
  std::vector<NamedRule> variables;
  for (const VariableRule& rule : std::exchange(file.policy.variables, {})) variables.push_back({rule.name, rule.origin});
  take_names(file, "environment.pass", variables, ceiling.variables);
  take_names(file, "isolation.without", std::exchange(file.policy.without, {}), ceiling.without);
  ceiling.workspaces = std::move(file.workspaces);
  ceiling.forbid = std::move(file.forbid);
  ceiling.backends = std::move(file.backends);
  ceiling.most = std::move(file.policy);
  return ceiling;
}

}  // namespace paddock
