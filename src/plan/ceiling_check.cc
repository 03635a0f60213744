#include "plan/ceiling_check.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "policy/shown.h"

namespace paddock {
namespace {

// One that comes with the program; a plain command has none.
bool is_shipped(const Manifest& harness) { return harness.origin.empty() || harness.origin.starts_with("share/"); }

std::string by(std::string_view what, const Origin& origin) { return fmt::format("{} by the ceiling of this machine ({})", what, origin.where); }

bool has_wildcard(std::string_view text) { return text.find_first_of("*?[") != std::string_view::npos; }

}  // namespace

bool CeilingCheck::is_within_any(const std::string& path, const std::vector<PathRule>& rules) const {
  return std::ranges::any_of(rules, [&](const PathRule& rule) {
    const std::string place = path::normal(path::expand_home(rule.path, places_.home));
    return path::is_within(path, host_.real_path(place).value_or(place));
  });
}

std::string CeilingCheck::refusal_below(const GrantedPath& path) const {
  const auto covered = [&](const std::vector<PatternRule>& rules) -> const PatternRule* {
    if (const PatternRule* rule = covering(rules, path.path, places_)) return rule;
    for (const PatternRule& rule : rules) {
      if (has_wildcard(rule.pattern)) continue;
      const std::string expanded = path::expand_home(rule.pattern, places_.home);
      const std::string place = path::normal(expanded, places_.workspace.empty() ? "/" : places_.workspace);
      const std::optional<std::string> real = host_.real_path(place);
      if (real && path::is_within(path.path, *real)) return &rule;
    }
    return nullptr;
  };
  const FilesystemPolicy& closed = ceiling_->most.filesystem;
  if (const PatternRule* rule = covered(closed.mask)) return fmt::format("{} is {}", visible(path.path), by("hidden", rule->origin));
  if (path.access != MountAccess::read_write) return {};
  if (const PatternRule* rule = covered(closed.protect)) return fmt::format("{} is {}", visible(path.path), by("protected", rule->origin));
  return {};
}

std::string CeilingCheck::refusal_outside(const GrantedPath& path) const {
  const bool is_write = path.access == MountAccess::read_write;
  const auto& allowed = is_write ? ceiling_->write : ceiling_->read;
  if (!allowed.stated || is_within_any(path.path, allowed.value)) return {};
  if (!is_write && ceiling_->write.stated && is_within_any(path.path, ceiling_->write.value)) return {};
  return fmt::format("{} is outside of what may be {}", visible(path.path), by(is_write ? "written" : "read", allowed.origin));
}

std::string CeilingCheck::refusal_of_workspace(const GrantedPath& workspace) const {
  if (ceiling_ == nullptr) return {};
  const auto& allowed = ceiling_->workspaces;
  if (allowed.stated && !is_within_any(workspace.path, allowed.value)) {
    return fmt::format("{} is outside of what may be {}", visible(workspace.path), by("a workspace", allowed.origin));
  }
  return refusal_below(workspace);
}

std::string CeilingCheck::refusal_of_grant(const GrantedPath& grant) const {
  if (ceiling_ == nullptr) return {};
  std::string why = refusal_below(grant);
  return why.empty() ? refusal_outside(grant) : why;
}

std::string CeilingCheck::refusal_of_state(const GrantedPath& directory, const Manifest& harness) const {
  if (ceiling_ == nullptr) return {};
  std::string why = refusal_below(directory);
  return why.empty() && !is_shipped(harness) ? refusal_outside(directory) : why;
}

std::vector<Breach> breaches(const Plan& plan, const Manifest& harness, const Ceiling& ceiling) {
  std::vector<Breach> found;
  for (const Relaxation& relaxation : plan.relaxations) {
    const NamedRule* rule = forbidding(ceiling, relaxation.name);
    if (rule != nullptr) found.push_back({relaxation.name, relaxation.reason, "not " + relaxation.name, relaxation.origin, rule->origin});
  }
  if (!ceiling.variables.stated || is_shipped(harness)) return found;
  for (const Variable& variable : plan.environment) {
    if (variable.origin.kind != OriginKind::harness || std::ranges::find(ceiling.variables.value, variable.name) != ceiling.variables.value.end()) continue;
    const std::string allowed = ceiling.variables.value.empty() ? "nothing" : join(ceiling.variables.value, ", ");
    found.push_back({"environment", variable.name, allowed, variable.origin, ceiling.variables.origin});
  }
  return found;
}

}  // namespace paddock
