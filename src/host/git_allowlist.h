// Which of the user's git settings a sandbox gets. Closed by default: a key that is not in the table
// stays outside, and so does a value that names a program to run, a file, or a login.
#pragma once

#include <optional>
#include <string>

#include "host/git_config.h"

namespace paddock {

inline constexpr std::size_t git_value_bytes_max = 4096;

// The value to hand on ("true" for a name without one), or nothing.
std::optional<std::string> exported_value(const GitConfigEntry& entry);

}  // namespace paddock
