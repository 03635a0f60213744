// The same sandbox as one shell line around the stock `bwrap`, with nothing of ours in it: for people who
// want to see or repeat it. What is the warden's (the system call filter, Landlock, the limits, the terminal, the
// look at every mount) and the launcher's (stand-ins, first directories of a harness) is not in it.
#pragma once

#include <string>

#include "backend/backend.h"

namespace paddock {

// POSIX sh has file descriptors of one digit: 3 to 8 carry files, 9 keeps the standard input.
inline constexpr std::size_t argv_files_max = 6;

// What a shell has no "$" for (npm_config_@scope:registry) is left out: some shells do not even hand it on.
bool can_be_in_shell_line(const Variable& variable);

// For sh(1), one line without a line end. Literal variables are in it, all others as NAME="$NAME". A plan
// without a command gets its shell. Errors: what lowering refuses; more than argv_files_max files of data.
Result<std::string> bubblewrap_shell_line(const LowerRequest& request);

}  // namespace paddock
