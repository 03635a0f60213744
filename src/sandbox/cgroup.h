// The control groups of one sandbox: limits on an outer group, everything that runs in a leaf below it. What is
// inside can reach its own leaf at most (a nested namespace that mounts control groups sees the leaf as the root),
// so nothing inside lifts a limit.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "base/fd.h"
#include "base/result.h"
#include "plan/plan.h"
#include "sandbox/cgroup_places.h"

namespace paddock {

// Which controllers these limits need. The processes of an ordinary user are counted by the kernel without one
// (RLIMIT_NPROC in the sandbox's own user namespace), those of real root are not.
std::vector<Controller> controllers_for(const PlanLimits& limits, bool real_root);

// Tried out: the groups are made, limited and removed again. Nothing is done without limits.
LimitSupport probe_limits(const PlanLimits& limits, bool real_root);

class CgroupSet {
 public:
  CgroupSet() = default;
  CgroupSet(CgroupSet&&) = default;
  CgroupSet& operator=(CgroupSet&&) = delete;
  // Removes the groups; processes must have ended. What cannot go is left to the next run's `create`.
  ~CgroupSet();

  // Makes and limits the groups, after removing those of runs that are dead. Errors: what could not be held.
  static Result<CgroupSet> create(const PlanLimits& limits, bool real_root);

  // For the child, which writes itself into each before it executes (SpawnRequest::joins).
  [[nodiscard]] std::vector<int> joins() const;
  // What the limits did: one line each, after the run.
  [[nodiscard]] std::vector<std::string> findings() const;

 private:
  struct Group {
    CgroupPlace place;
    std::string directory;  // the outer one
    Fd join;
  };
  std::vector<Group> groups_;
  PlanLimits limits_;
};

}  // namespace paddock
