#include "backend/brief_of.h"

#include <algorithm>

#include "backend/filter/syscall_filter.h"
#include "base/path.h"

namespace paddock {
namespace {

using namespace protocol;

bool holds_another(const Plan& plan, std::size_t index) {
  const std::string& target = plan.mounts[index].target;
  return index + 1 < plan.mounts.size() && path::is_within(plan.mounts[index + 1].target, target);
}

U32 when(bool condition, U32 flag) { return condition ? flag : 0; }

U32 flags_of(const Plan& plan, std::size_t index) {
  const Mount& mount = plan.mounts[index];
  const bool read_only = mount.access == MountAccess::read_only;
  const U32 access = when(read_only, check_read_only) | when(!read_only, check_writable);
  const U32 kind = when(mount.is_directory, check_directory);
  switch (mount.kind) {
    case MountKind::bind:
      return check_mount_root | access | kind | when(mount.identity != FileIdentity{}, check_identity);
    case MountKind::temporary:
      return check_mount_root | check_directory | check_writable;
    case MountKind::processes:
    case MountKind::devices:
      return check_mount_root | check_directory;
    case MountKind::mask_directory:
      return check_mount_root | check_read_only | check_directory | when(!holds_another(plan, index), check_empty);
    case MountKind::mask_file:
      return check_mount_root | check_read_only | check_empty;
    case MountKind::link:
    case MountKind::directory:
    case MountKind::data:
      return 0;  // lie in the root or in a temporary file system, which are checked
  }
  return 0;
}

bool is_writable_place(const Mount& mount) {
  return mount.access == MountAccess::read_write &&
         (mount.kind == MountKind::bind || mount.kind == MountKind::temporary || mount.kind == MountKind::devices || mount.kind == MountKind::processes);
}

FilterNesting nesting_of(Nested nested) {
  switch (nested) {
    case Nested::off: return FilterNesting::off;
    case Nested::browser: return FilterNesting::browser;
    case Nested::full: return FilterNesting::full;
  }
  return FilterNesting::off;
}

}  // namespace

BriefInput brief_of(const Plan& plan) {
  BriefInput brief;
  brief.checks.push_back({"/", 0, 0, check_mount_root | check_directory | check_read_only, static_cast<U32>(plan.mounts.size())});
  const bool root_is_granted = !plan.mounts.empty() && plan.mounts.front().target == "/";
  if (root_is_granted) brief.checks.clear();
  brief.grants.push_back({"/", protocol::Access::read});
  for (std::size_t i = 0; i < plan.mounts.size(); ++i) {
    const Mount& mount = plan.mounts[i];
    if (const U32 flags = flags_of(plan, i); flags != 0) {
      brief.checks.push_back({mount.target, mount.identity.device, mount.identity.inode, flags, static_cast<U32>(i)});
    }
    if (is_writable_place(mount)) brief.grants.push_back({mount.target, protocol::Access::write});
  }
  const bool filtered = holds(plan.required, Guarantee::calls_filtered);
  if (filtered) brief.filter = syscall_filter(nesting_of(plan.nested), plan.user.real_root ? FilterPrivilege::real_root : FilterPrivilege::ordinary);
  // Landlock forbids every mount below it, which nested containers need.
  if (plan.nested != Nested::full) brief.flags |= brief_landlock_paths;
  brief.flags |= brief_landlock_scopes;
  if (drops_kernel_uid(plan.user)) brief.flags |= brief_not_root;
  // Real root's is held by a control group, which is met first and tells; this one keeps it from being raised.
  constexpr unsigned beyond_group = 16;
  if (plan.limits.processes != 0) brief.processes_max = plan.limits.processes + (plan.user.real_root ? beyond_group : 0);
  return brief;
}

}  // namespace paddock
