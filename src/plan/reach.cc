#include "plan/reach.h"

#include <algorithm>

#include "base/path.h"

namespace paddock {
namespace {

const Mount* deepest_holder(const Plan& plan, const std::string& path) {
  const Mount* holder = nullptr;
  for (const Mount& mount : plan.mounts) {
    if (path::is_within(path, mount.target)) holder = &mount;  // the last one is the deepest
  }
  return holder;
}

}  // namespace

bool is_visible_inside(const Plan& plan, const std::string& path) {
  const Mount* holder = deepest_holder(plan, path);
  return holder != nullptr && holder->kind == MountKind::bind;
}

bool can_be_replaced(const Plan& plan, const HostView& host, const std::string& path) {
  if (!is_visible_inside(plan, path) || deepest_holder(plan, path)->access != MountAccess::read_write) return false;
  constexpr std::uint32_t others_may_write = 022;
  const std::uint32_t user = host.user().uid;
  return plan.user.real_root || std::ranges::any_of(path::ancestors_and_self(path), [&](const std::string& place) {
           const HostFile file = host.look(place);
           return file.owner == user || (file.mode & others_may_write) != 0;
         });
}

}  // namespace paddock
