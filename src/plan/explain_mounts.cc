#include "plan/explain_mounts.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/path.h"

namespace paddock {
namespace {

enum class Group { workspace, writable, protection, pinned, hidden, private_place, system, readable };

constexpr struct {
  Group group;
  std::string_view heading;
} headings[] = {
    {Group::workspace, "Workspace"},
    {Group::writable, "Also writable"},
    {Group::protection, "Protected: readable, never writable"},
    {Group::pinned, "Pinned: writable, but cannot be renamed or replaced"},
    {Group::hidden, "Hidden, although it lies in what is visible"},
    {Group::readable, "Also readable"},
    {Group::private_place, "Private to this sandbox, gone at its end"},
    {Group::system, "The system, read-only"},
};

Group group_of(const Mount& mount, const Plan& plan) {
  switch (mount.kind) {
    case MountKind::mask_directory:
    case MountKind::mask_file:
      return Group::hidden;
    case MountKind::temporary:
    case MountKind::processes:
    case MountKind::devices:
    case MountKind::directory:
    case MountKind::data:
      return Group::private_place;
    case MountKind::bind:
      if (mount.reason.starts_with("protected: ") || mount.reason.starts_with("held: ")) return Group::protection;
      if (mount.reason.starts_with("pinned: ")) return Group::pinned;
      if (mount.target == plan.workspace) return Group::workspace;
      if (mount.access == MountAccess::read_write) return Group::writable;
      break;
    case MountKind::link:
      break;
  }
  return mount.origin.kind == OriginKind::built_in ? Group::system : Group::readable;
}

// "protected: NAME", where the path ends in that name, need not say it again.
std::string reason_of(const Mount& mount) {
  constexpr std::pair<std::string_view, std::string_view> shorter[] = {{"protected: ", "protected"}, {"held: ", "held by a stand-in, as it is absent"}};
  for (const auto& [prefix, word] : shorter) {
    if (!mount.reason.starts_with(prefix)) continue;
    const bool says_it = mount.target.ends_with(path::normal(mount.reason.substr(prefix.size())));
    if (says_it) return std::string(word);
  }
  return mount.reason;
}

std::string size_of(std::uint64_t bytes) {
  return bytes % (1 << 20) == 0 ? fmt::format("{} MiB", bytes >> 20) : fmt::format("{} bytes", bytes);
}

std::string shown(const Mount& mount) {
  if (mount.kind == MountKind::link) return fmt::format("{} -> {}", mount.target, mount.source);
  if (mount.kind == MountKind::temporary) return fmt::format("{} (in memory, at most {})", mount.target, size_of(mount.bytes_max));
  if (mount.kind == MountKind::data) return fmt::format("{} (a file made for this run)", mount.target);
  if (mount.kind == MountKind::bind && mount.source != mount.target) return fmt::format("{} (from {})", mount.target, mount.source);
  return mount.target;
}

// Mounts of one reason and origin, in the order of the plan.
struct Bundle {
  std::string heading;
  std::vector<std::string> lines;
};

std::vector<Bundle> bundles_of(const Plan& plan, Group group) {
  std::vector<Bundle> bundles;
  for (const Mount& mount : plan.mounts) {
    if (group_of(mount, plan) != group) continue;
    std::string heading = fmt::format("{} [{}]", reason_of(mount), mount.origin.where);
    auto bundle = std::ranges::find(bundles, heading, &Bundle::heading);
    if (bundle == bundles.end()) bundle = bundles.insert(bundle, {std::move(heading), {}});
    std::string line = shown(mount);
    if (group == Group::workspace) line += mount.access == MountAccess::read_write ? " (writable)" : " (read-only)";
    bundle->lines.push_back(std::move(line));
  }
  return bundles;
}

}  // namespace

void explain_mounts(Page& page, const Plan& plan) {
  for (const auto& [group, heading] : headings) {
    const std::vector<Bundle> bundles = bundles_of(plan, group);
    if (bundles.empty()) continue;
    page.heading(heading);
    for (const Bundle& bundle : bundles) {
      page.text(2, bundle.heading);
      for (const std::string& line : bundle.lines) page.line(4, line);
    }
  }
}

}  // namespace paddock
