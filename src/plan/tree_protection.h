// The built-in protected list applied to every writable tree that a person granted: what the host, or a
// later session, would execute.
#pragma once

#include "plan/git_view.h"
#include "plan/risk.h"

namespace paddock {

struct TreeProtectionInput {
  const std::vector<GrantedPath>& granted;
  const std::string& workspace;
  const std::string& home;
  const GitViewInput git;  // of the workspace: its mode and access hold for other repositories too
  const std::vector<std::string> programs;  // directories of the host's PATH, real
};

void protect_trees_of(Protector& protector, const HostView& host, const TreeProtectionInput& input);

}  // namespace paddock
