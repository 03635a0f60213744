// The part of the output filter that judges CSI sequences.
#pragma once

#include <string>
#include <string_view>

#include "terminal/filter_state.h"

namespace paddock::terminal {

// Appends to `out` what passes of the sequence whose bytes after CSI are `body`, and notes in `state`
// what it changes.
void filter_csi(std::string_view body, FilterState& state, std::string& out);

}  // namespace paddock::terminal
