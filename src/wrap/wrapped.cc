#include "wrap/wrapped.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"

namespace paddock {
namespace {

constexpr std::string_view plan_variables[] = {
    "PATH", "HOME", "SHELL", "TERM", "COLORTERM", "LANG", "LANGUAGE", "LC_*", "TZ", "NO_COLOR", "FORCE_COLOR", "TERM_PROGRAM", "TERM_PROGRAM_VERSION",
    "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
};

bool is_writable_bind(const Mount& mount) { return mount.kind == MountKind::bind && mount.access == MountAccess::read_write; }

// The writable trees of the host's, without those that lie in another one.
std::vector<WrappedRoot> roots_of(const Plan& plan) {
  std::vector<WrappedRoot> roots;
  for (const Mount& mount : plan.mounts) {
    if (!is_writable_bind(mount)) continue;
    const bool is_shown_as_is = mount.source == mount.target;
    const bool is_inside = is_shown_as_is && std::ranges::any_of(roots, [&](const WrappedRoot& root) { return path::is_within(mount.source, root.path); });
    if (!is_inside) roots.push_back({mount.source, mount.identity});
  }
  return roots;
}

bool is_mask(const Mount& mount) { return mount.kind == MountKind::mask_directory || mount.kind == MountKind::mask_file; }

std::vector<std::string> hidden_by_rules(const Plan& plan) {
  std::vector<std::string> all;
  for (const Mount& mount : plan.mounts) {
    if (is_mask(mount) && mount.reason.starts_with("masked: ")) all.push_back(mount.target);
  }
  return all;
}

// The deepest mount at or above it is a mask.
bool is_hidden(const Plan& plan, const std::string& path) {
  const Mount* holder = nullptr;
  for (const Mount& mount : plan.mounts) {
    if (path::is_within(path, mount.target)) holder = &mount;
  }
  return holder != nullptr && holder->kind != MountKind::bind;
}

Error changed(std::string what) {
  return error(ErrorCode::cannot_start, std::move(what) + ": this machine has changed since the command was wrapped", "wrap it again");
}

}  // namespace

void record_plan(Wrapped& wrapped, const Plan& plan) {
  wrapped.network = plan.network;
  wrapped.roots = roots_of(plan);
  wrapped.hidden = hidden_by_rules(plan);
  wrapped.guarantees = plan.required;
}

Result<void> check_kept(const Wrapped& wrapped, const Plan& plan, bool (*is_there)(const std::string& path)) {
  for (const WrappedRoot& root : roots_of(plan)) {
    const auto known = std::ranges::find(wrapped.roots, root.path, &WrappedRoot::path);
    if (known == wrapped.roots.end()) return changed(visible(root.path) + " would be writable and was not");
    if (known->identity != root.identity) return changed(visible(root.path) + " is another directory or file than it was");
  }
  for (const std::string& path : wrapped.hidden) {
    if (!is_hidden(plan, path) && is_there(path)) return changed(visible(path) + " was hidden and would not be");
  }
  for (const Guarantee guarantee : wrapped.guarantees) {
    // A mask of what has gone is none.
    if (guarantee != Guarantee::masks_hidden && !holds(plan.required, guarantee)) return changed(fmt::format("{} would not be held", name_of(guarantee)));
  }
  if (plan.network != wrapped.network) return changed("the network would be another one");
  return {};
}

std::map<std::string, std::string> plan_environment(const std::map<std::string, std::string>& host) {
  std::map<std::string, std::string> kept;
  for (const auto& [name, value] : host) {
    if (std::ranges::any_of(plan_variables, [&](std::string_view pattern) { return name_matches(pattern, name); })) kept.emplace(name, value);
  }
  return kept;
}

}  // namespace paddock
