#include "sandbox/idmap.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/user_namespace.h"

namespace paddock {

std::string map_of_owner(uid_t owner, uid_t id) {
  constexpr uid_t ids_end = 0xFFFFFFFF;  // (uid_t)-1 is none
  std::string lines = fmt::format("{} {} 1\n", owner, id);
  const uid_t first = std::min(owner, id);
  const uid_t second = std::max(owner, id);
  const std::pair<uid_t, uid_t> same[] = {{0, first}, {first + 1, second}, {second + 1, ids_end}};
  for (const auto& [begin, end] : same) {
    if (begin < end) lines += fmt::format("{} {} {}\n", begin, begin, end - begin);
  }
  return lines;
}

Result<int> IdMaps::for_owner(uid_t owner, gid_t group) {
  const auto known = made_.find({owner, group});
  if (known != made_.end()) return known->second.get();
  if (made_.size() == owners_max) return error(ErrorCode::cannot_start, fmt::format("the granted trees have more than {} different owners", owners_max), "grant fewer of them");
  Fd name_space = TRY(make_user_namespace(map_of_owner(owner, id_), map_of_owner(group, id_)));
  return made_.emplace(std::pair{owner, group}, std::move(name_space)).first->second.get();
}

}  // namespace paddock
