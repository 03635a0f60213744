// Which kernel ids a sandbox has that real root starts, and how granted trees are mapped to them, so that
// to the kernel the payload is never root and files on disk keep their owners.
//
// The id is one that no account has and no other sandbox has at the same time: what the kernel counts or
// checks by user (processes, pipes, watches, signals) is then the sandbox's own.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <utility>

#include "base/fd.h"
#include "base/result.h"

namespace paddock {

// From here on nothing hands out ids: beyond the ranges of adduser, subuid (to 600,100,000), systemd
// (to 1,879,048,191; systemd.io/UIDS-GIDS), SSSD and FreeIPA (to 2,000,200,000), below 2^31. Adding a pid
// (at most 2^22) keeps it there.
inline constexpr uid_t kernel_id_first = 0x78000000;

inline uid_t kernel_id_of(pid_t launcher) { return kernel_id_first + static_cast<uid_t>(launcher); }

// Lines of a uid_map or gid_map: what `owner` has on disk is `id`'s for processes, and the other way
// round; every other id stays itself. (What `id` has on disk is nobody's.)
std::string map_of_owner(uid_t owner, uid_t id);

// A user namespace for each pair of owner and group that occurs among the granted trees.
class IdMaps {
 public:
  explicit IdMaps(uid_t id) : id_(id) {}
  [[nodiscard]] uid_t id() const { return id_; }

  // The descriptor is the object's. Errors: more pairs than owners_max; what make_user_namespace says.
  Result<int> for_owner(uid_t owner, gid_t group);

 private:
  uid_t id_;
  std::map<std::pair<uid_t, gid_t>, Fd> made_;
};

inline constexpr std::size_t owners_max = 64;

}  // namespace paddock
