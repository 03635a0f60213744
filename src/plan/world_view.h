// What a sandbox sees before anything is granted: with world = "minimal" a list of system paths and an empty
// home, with world = "host" the whole machine read-only, less the places of other programs' sockets.
#pragma once

#include <map>

#include "plan/host_view.h"
#include "plan/mount_table.h"
#include "plan/system_view.h"
#include "plan/rules.h"

namespace paddock {

inline constexpr std::size_t sockets_masked_max = 1000;
inline constexpr std::string_view socket_mask_reason = "a socket of the host's";

struct WorldInput {
  const FilesystemPolicy& files;
  const PlanUser& user;
  NetworkMode network = NetworkMode::off;
  const std::map<std::string, std::string>& environment;  // the host's: TMPDIR, XDG_RUNTIME_DIR
  std::string search_path;
  std::string workspace;  // real
  ProcessList processes = ProcessList::own;
};

struct ClaimedWorld {
  std::string temporary = "/tmp";    // $TMPDIR inside
  std::vector<GrantedPath> granted;  // the host's own $TMPDIR, where it is shared: to be judged as any grant
};

// Claims the world and its temporary places.
Result<ClaimedWorld> claim_world(MountTable& table, const HostView& host, const WorldInput& input);

// After grants and masks: every path in view that a socket of the host's is bound to, except one that was granted
// by exactly that name. A read-only mount does not stop a connection. Errors: more than sockets_masked_max.
Result<void> hide_sockets(MountTable& table, const HostView& host, const Origin& origin);

}  // namespace paddock
