// Where this process may make control groups that hold limits (cgroups(7); the kernel's
// admin-guide/cgroup-v2.rst and cgroup-v1/). Pure: works on what was read, so that every machine's
// layout can be a literal in a test.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace paddock {

enum class Controller { memory, cpu, pids };
enum class CgroupVersion { v1, v2 };

std::string_view name_of(Controller controller);  // as the kernel spells it

// A directory of a control-group file system in which a group for these controllers can be made.
struct CgroupPlace {
  CgroupVersion version = CgroupVersion::v2;
  std::string directory;
  std::vector<Controller> controllers;
  // Of version 2: to be switched on in the directory's cgroup.subtree_control first.
  std::vector<Controller> to_enable;
  friend bool operator==(const CgroupPlace&, const CgroupPlace&) = default;
};

struct CgroupFacts {
  std::string mounts;  // /proc/self/mountinfo
  std::string own;     // /proc/self/cgroup
  bool real_root = false;
  std::function<std::optional<std::string>(const std::string& path)> read;  // a control file; nothing when it cannot be
  std::function<bool(const std::string& path)> may_write;                   // a directory: names made in it
};

// One place for each hierarchy that is needed: every wanted controller stands in exactly one of them. A
// controller is in one hierarchy of the machine only. Of version 2 the place is the nearest group above or at
// our own that gives the controllers to its children, since a group with processes cannot (the rule of no
// internal processes). Errors say what is in the way and what would help.
Result<std::vector<CgroupPlace>> find_cgroup_places(const CgroupFacts& facts, const std::vector<Controller>& wanted);

}  // namespace paddock
