#include "cli/start_checks.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "plan/ceiling_check.h"

namespace paddock {
namespace {

// Between the two looks another sandbox may have put a repository, or a directory, in the place.
Result<void> check_workspace(const TierFiles& tiers, const Plan& plan) {
  const auto changed = [&] { return error(ErrorCode::cannot_start, fmt::format("the workspace {} changed while its settings were read", visible(tiers.workspace)), "start again"); };
  if (!tiers.workspace.empty() && tiers.workspace != plan.workspace) return changed();
  if (!tiers.repository) return {};
  const auto mount = std::ranges::find_if(plan.mounts, [&](const Mount& one) { return one.kind == MountKind::bind && one.target == plan.workspace; });
  if (mount != plan.mounts.end() && mount->identity != tiers.repository->directory) return changed();
  return {};
}

// A tree that payloads write: the workspace, whatever its access is this time, and every writable grant.
const std::string* writable_tree_around(const std::string& place, const Plan& plan) {
  if (path::is_within(place, plan.workspace)) return &plan.workspace;
  for (const Mount& mount : plan.mounts) {
    if (mount.kind == MountKind::bind && mount.access == MountAccess::read_write && path::is_within(place, mount.target)) return &mount.target;
  }
  return nullptr;
}

// Where a directory is, or would be: links resolved as far as there is something.
std::string real_place(const HostView& host, const std::string& directory) {
  if (const auto real = host.real_path(directory)) return *real;
  return directory == "/" ? directory : path::join(real_place(host, path::parent(directory)), path::name(directory));
}

// At its usual place below home, where every sandbox hides it, whatever it holds.
bool is_hidden_everywhere(const Context& context, const std::string& directory, const std::string& real) {
  const std::string home = context.host->user().home;
  if (kind_of_directory(directory, home) != OwnDirectory::usual) return false;
  return real == path::join(real_place(*context.host, home), path::relative(directory, home));
}

// This sandbox hides them; one that is started without the variable, or before there was the link, does not know
// that they are Paddock's.
Result<void> check_own_places(const Context& context, const Plan& plan) {
  const std::pair<const char*, const std::string*> places[] = {
      {"XDG_CONFIG_HOME", &context.directories.config}, {"XDG_DATA_HOME", &context.directories.data}, {"XDG_STATE_HOME", &context.directories.state}};
  for (const auto& [variable, directory] : places) {
    const std::string real = real_place(*context.host, *directory);
    const std::string* tree = is_hidden_everywhere(context, *directory, real) ? nullptr : writable_tree_around(real, plan);
    if (tree == nullptr) continue;
    return error(ErrorCode::cannot_start, fmt::format("Paddock's own files in {} lie in {}, where an agent in a sandbox can write them", visible(*directory), visible(*tree)),
                 fmt::format("keep them outside of projects: mend the link, or {}", variable));
  }
  for (const std::string& file : *context.linked_settings) {
    const std::string* tree = writable_tree_around(file, plan);
    if (tree == nullptr) continue;
    return error(ErrorCode::cannot_start, fmt::format("a link among Paddock's settings leads to {} in {}, where an agent in a sandbox can write it", visible(file), visible(*tree)),
                 "keep a copy of it in the place of the link");
  }
  return {};
}

Result<void> check_ceiling(const Setup& setup, const Plan& plan) {
  std::string message;
  for (const Breach& breach : breaches(plan, *setup.harness, setup.tiers->tiers.ceiling)) message += (message.empty() ? "" : "\n") + in_words(breach);
  if (message.empty()) return {};
  return error(ErrorCode::cannot_start, std::move(message), "paddock config shows the ceiling and what is asked");
}

// Nothing is there that it would be about.
bool is_moot(Guarantee guarantee, const Plan& plan) {
  if (guarantee == Guarantee::abstract_hidden) return plan.network != NetworkMode::on;
  return guarantee == Guarantee::masks_hidden;
}

// A requirement that the policy itself does not meet: nobody may think that it held. One that somebody of more
// weight gave up by name is a relaxation, and told as such; the ceiling's cannot be.
Result<void> check_required(const Setup& setup, const Plan& plan) {
  for (const NamedRule& rule : setup.input.policy.required) {
    const auto guarantee = guarantee_named(rule.name);
    if (!guarantee || holds(plan.required, *guarantee) || is_moot(*guarantee, plan)) continue;
    if (std::ranges::find(setup.input.policy.without, rule.name, &NamedRule::name) != setup.input.policy.without.end()) continue;
    return error(ErrorCode::cannot_start, fmt::format("{} is required ({}), and this policy does not ask for it: {}", rule.name, rule.origin.where, meaning_of(*guarantee)),
                 "paddock config shows what is asked and by whom");
  }
  return {};
}

}  // namespace

Result<void> check_plan(const Context& context, const Setup& setup, const Plan& plan) {
  TRY(check_workspace(*setup.tiers, plan));
  TRY(check_own_places(context, plan));
  TRY(check_ceiling(setup, plan));
  return check_required(setup, plan);
}

}  // namespace paddock
