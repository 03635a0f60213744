#include "sandbox/cgroup_places.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"

namespace paddock {
namespace {

constexpr std::string_view delegated_fix = "start it in a group of its own: systemd-run --user --scope -p Delegate=yes paddock …";

struct Hierarchy {
  CgroupVersion version = CgroupVersion::v2;
  std::string root;         // which group the mount shows
  std::string mount_point;
  std::vector<std::string> options;  // of version 1: its controllers
};

// "\040" and the like, as mountinfo writes blanks (proc(5)).
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      plain += static_cast<char>((text[i + 1] - '0') << 6 | (text[i + 2] - '0') << 3 | (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

std::vector<Hierarchy> hierarchies_in(const std::string& mounts) {
  std::vector<Hierarchy> found;
  for (const std::string& line : split(mounts, '\n')) {
    // ID PARENT DEVICE ROOT POINT OPTIONS [FIELDS…] - TYPE SOURCE SUPER_OPTIONS
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const std::vector<std::string> before = split(line.substr(0, dash), ' '), after = split(line.substr(dash + 3), ' ');
    if (before.size() < 6 || after.size() < 3 || (after[0] != "cgroup" && after[0] != "cgroup2")) continue;
    found.push_back({after[0] == "cgroup2" ? CgroupVersion::v2 : CgroupVersion::v1, unescaped(before[3]), unescaped(before[4]), split(after[2], ',')});
  }
  return found;
}

// The path of our own group in the hierarchy of version 1 with this controller, or in that of version 2.
std::optional<std::string> own_group(const std::string& own, CgroupVersion version, std::string_view controller) {
  for (const std::string& line : split(own, '\n')) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::vector<std::string> names = split(line.substr(first + 1, second - first - 1), ',');
    const bool is_it = version == CgroupVersion::v2 ? line.starts_with("0::") : std::ranges::find(names, controller) != names.end();
    if (is_it) return line.substr(second + 1);
  }
  return std::nullopt;
}

// The directory that shows `group`; nothing when the mount does not show it.
std::optional<std::string> directory_of(const Hierarchy& hierarchy, const std::string& group) {
  if (!path::is_within(group, hierarchy.root)) return std::nullopt;
  const std::string below = hierarchy.root == "/" ? group : group.substr(hierarchy.root.size());
  return path::normal(hierarchy.mount_point + "/" + below);
}

bool has_word(const std::optional<std::string>& text, std::string_view word) {
  if (!text) return false;
  const std::vector<std::string> words = split(trim(*text), ' ');
  return std::ranges::find(words, word) != words.end();
}

Error not_possible(std::string why, std::string_view fix) { return error(ErrorCode::cannot_start, std::move(why), std::string(fix)); }

Result<CgroupPlace> place_v1(const CgroupFacts& facts, const Hierarchy& hierarchy, Controller controller) {
  const auto group = own_group(facts.own, CgroupVersion::v1, name_of(controller));
  const auto directory = group ? directory_of(hierarchy, *group) : std::nullopt;
  if (!directory) return not_possible(fmt::format("the {} control group of this process is not in view", name_of(controller)), "mount its hierarchy in this container");
  if (!facts.may_write(*directory)) {
    return not_possible(fmt::format("the {} control groups here are of version 1 and closed to this user", name_of(controller)),
                        "start it as root, or boot with version 2 (kernel option systemd.unified_cgroup_hierarchy=1)");
  }
  return CgroupPlace{CgroupVersion::v1, *directory, {controller}, {}};
}

// What of `wanted` this group does not give to its children yet; nothing when it cannot.
std::optional<std::vector<Controller>> to_enable_in(const CgroupFacts& facts, const std::string& directory, bool is_own, const std::vector<Controller>& wanted) {
  const auto given = facts.read(path::join(directory, "cgroup.subtree_control"));
  const auto there = facts.read(path::join(directory, "cgroup.controllers"));
  std::vector<Controller> missing;
  for (const Controller controller : wanted) {
    if (has_word(given, name_of(controller))) continue;
    if (!has_word(there, name_of(controller))) return std::nullopt;
    missing.push_back(controller);
  }
  if (missing.empty()) return missing;
  // The true root group alone has no cgroup.type, and may hold processes beside groups that have controllers.
  const bool is_true_root = !facts.read(path::join(directory, "cgroup.type"));
  const auto processes = facts.read(path::join(directory, "cgroup.procs"));
  const bool is_free = is_true_root || (!is_own && processes && trim(*processes).empty());
  if (!is_free || !facts.may_write(path::join(directory, "cgroup.subtree_control"))) return std::nullopt;
  return missing;
}

Result<CgroupPlace> place_v2(const CgroupFacts& facts, const Hierarchy& hierarchy, const std::vector<Controller>& wanted) {
  const auto group = own_group(facts.own, CgroupVersion::v2, {});
  const auto own = group ? directory_of(hierarchy, *group) : std::nullopt;
  if (!own) return not_possible("the control group of this process is not in view", "mount /sys/fs/cgroup in this container with its own cgroup namespace");
  for (std::string at = *own; path::is_within(at, hierarchy.mount_point); at = path::parent(at)) {
    // A process may be moved only within what its mover may write, the group that holds both included.
    const bool may_make = facts.may_write(at) && facts.may_write(path::join(at, "cgroup.procs"));
    const auto missing = may_make ? to_enable_in(facts, at, at == *own, wanted) : std::nullopt;
    if (missing) return CgroupPlace{CgroupVersion::v2, at, wanted, *missing};
    if (at == hierarchy.mount_point) break;
  }
  return not_possible("no control group above this process may be divided by this user", delegated_fix);
}

}  // namespace

std::string_view name_of(Controller controller) {
  switch (controller) {
    case Controller::memory: return "memory";
    case Controller::cpu: return "cpu";
    case Controller::pids: return "pids";
  }
  return {};
}

Result<std::vector<CgroupPlace>> find_cgroup_places(const CgroupFacts& facts, const std::vector<Controller>& wanted) {
  const std::vector<Hierarchy> hierarchies = hierarchies_in(facts.mounts);
  if (hierarchies.empty()) return not_possible("no control groups are mounted here", "mount -t cgroup2 none /sys/fs/cgroup");
  std::vector<CgroupPlace> places;
  std::vector<Controller> unified;
  for (const Controller controller : wanted) {
    const auto v1 = std::ranges::find_if(hierarchies, [&](const Hierarchy& one) {
      return one.version == CgroupVersion::v1 && std::ranges::find(one.options, name_of(controller)) != one.options.end();
    });
    if (v1 == hierarchies.end()) unified.push_back(controller);
    else places.push_back(TRY(place_v1(facts, *v1, controller)));
  }
  if (unified.empty()) return places;
  const auto v2 = std::ranges::find(hierarchies, CgroupVersion::v2, &Hierarchy::version);
  if (v2 == hierarchies.end()) return not_possible(fmt::format("no {} control groups are mounted here", name_of(unified.front())), "mount its hierarchy, or boot with version 2");
  places.push_back(TRY(place_v2(facts, *v2, unified)));
  return places;
}

}  // namespace paddock
