#include "cli/preflight_key.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "policy/words.h"

namespace paddock {
namespace {

constexpr std::string_view passing[] = {"TERM", "COLORTERM", "TERM_PROGRAM*", "NO_COLOR", "FORCE_COLOR", "LANG", "LANGUAGE", "LC_*", "TZ", "GIT_CONFIG_*"};

bool is_passing(std::string_view name) {
  return std::ranges::any_of(passing, [&](std::string_view pattern) { return name_matches(pattern, name); });
}

// Of one project, and so of the place: the workspace, its git directories, and what is protected or masked in them.
bool is_of_the_place(const Plan& plan, const Mount& mount) {
  const bool is_within = path::is_within(mount.target, plan.workspace) || path::is_within(mount.target, plan.directory);
  return is_within || mount.reason.starts_with("git ") || mount.reason.starts_with("protected: ") || mount.reason.starts_with("masked: ");
}

}  // namespace

std::string sandbox_kind(const Plan& plan) {
  std::string text = fmt::format("{} {} {} {} {} {}\n", word_of(plan.network), word_of(plan.nested), plan.user.uid, plan.user.gid, plan.user.home, plan.user.real_root);
  for (const Mount& mount : plan.mounts) {
    if (is_of_the_place(plan, mount)) continue;
    text += fmt::format("{} {} {}", static_cast<int>(mount.kind), static_cast<int>(mount.access), mount.target);
    if (mount.kind == MountKind::bind || mount.kind == MountKind::link) text += " < " + mount.source;
    text += '\n';
  }
  for (const Variable& variable : plan.environment) {
    if (!is_passing(variable.name)) text += fmt::format("{} {} {}\n", variable.name, static_cast<int>(variable.source), variable.value);
  }
  return text;
}

}  // namespace paddock
