// What is started: the harness's program or the command as it was said, with the arguments that a manifest
// adds, and everything that the program leads to.
#pragma once

#include "plan/host_view.h"
#include "plan/resolve.h"

namespace paddock {

struct CommandChoice {
  std::string search_path;           // the host's PATH, or the usual one
  Executable executable;             // as found on the host; empty without a command
  std::vector<std::string> command;  // argv; [0] of a harness is the path that was found
};

// `directory`: where it starts, for additions that name it. Errors: a harness that is not installed, a
// program that cannot be executed or lacks its interpreter. A command that is not found is none: it may
// exist inside all the same, and the warden tells.
Result<CommandChoice> choose_command(const ResolveInput& input, const HostView& host, const std::string& directory);

}  // namespace paddock
