// Sockets of the host's that lie in what is shown: a read-only mount does not keep anybody from talking to
// the program behind one.
#pragma once

#include <string>
#include <vector>

#include "plan/host_view.h"
#include "plan/mount_table.h"
#include "plan/plan.h"
#include "plan/risk.h"

namespace paddock {

inline constexpr std::size_t told_sockets_max = 8;

// One relaxation for each listening socket that is visible and that nobody granted by its own path. Asked
// when everything is claimed. `directories`: where a name that was bound as a relative one may lie.
std::vector<Relaxation> sockets_in_reach(const MountTable& table, const HostView& host, const std::vector<std::string>& directories,
                                         const std::vector<GrantedPath>& granted);

}  // namespace paddock
