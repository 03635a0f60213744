// What the fuzz target and the replay of its corpus do with any bytes in the place of a configuration.
#pragma once

#include <string_view>

namespace paddock {

// Parses it, filters every entry, and checks what must hold of the answer; ends the process if it doesn't.
void read_hostile_git_config(std::string_view text);

}  // namespace paddock
