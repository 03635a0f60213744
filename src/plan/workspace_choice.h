// Which directory is the workspace, and where in it the command starts.
#pragma once

#include <string>

#include "base/result.h"
#include "plan/host_view.h"

namespace paddock {

struct WorkspaceChoice {
  std::string root;       // real path
  std::string directory;  // real path, inside root
  bool named = false;     // by the user
  GitLayout layout;       // of `directory`
};

// `named` empty: the enclosing repository of `directory`, else `directory` itself. A workspace that is
// home, above home or "/" is refused unless named. A named one that does not hold `directory` moves the
// start into it (daplug's rule). Errors are usage errors for a named one, cannot_start otherwise.
Result<WorkspaceChoice> choose_workspace(const std::string& named, const std::string& directory, const std::string& home,
                                         const HostView& host);

}  // namespace paddock
