// When a run has ended: were protected names that no mount could hold touched, and what new files would
// the host execute? Everything looked at was written by the payload: nothing is followed or executed.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"
#include "sandbox/state_watch.h"

namespace paddock {

struct Aftermath {
  std::vector<std::string> lines;  // for a person, one finding each
};

struct AftermathRequest {
  const Plan* plan = nullptr;
  timespec started{};        // of the run, as file times have it
  bool is_harness = false;   // harness runs: quarantine and the bounded walk
  const StateWatch* state = nullptr;  // of the harness's directories, from before the run
  std::string quarantine;    // directory of this run's, created when needed
};

// Compares, moves aside what may not stay (harness runs), and walks writable trees: for new or changed
// files with names that the host executes after a harness, for new repositories after a plain command.
Aftermath look_afterwards(const AftermathRequest& request);

inline constexpr std::size_t walk_entries_max = 50'000;        // an agent's run
inline constexpr std::size_t plain_walk_entries_max = 10'000;  // a plain command's: new repositories only

}  // namespace paddock
