// Paddock's own directories and programs, kept from what a sandbox can see or write, whatever was granted: what
// lies there decides what the next sandbox may do.
#pragma once

#include <string>
#include <vector>

#include "plan/mount_table.h"
#include "plan/plan.h"
#include "plan/protector.h"

namespace paddock {

struct OwnPlaces {
  std::vector<std::string> directories;  // configuration, data, state, caches: never inside
  std::vector<std::string> programs;     // read-only where a grant holds them
};

// After everything that is visible is claimed. Directories that are absent where the payload could make them are
// among the seeds: made first, and then hidden.
std::vector<Seed> claim_own_places(MountTable& table, Protector& protector, const HostView& host, const OwnPlaces& own);

}  // namespace paddock
