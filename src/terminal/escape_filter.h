// The parts of the output filter that judge single controls and escape sequences.
// Left out on purpose: ENQ (answerback), DECID (ESC Z), other encodings (ESC % @, which would change how
// bytes are read), 8-bit answers (ESC SP G), VT52 (ESC <), memory lock, XON and XOFF.
#pragma once

#include <string>
#include <string_view>

#include "terminal/filter_state.h"

namespace paddock::terminal {

void filter_control(char control, FilterState& state, std::string& out);

// `body` is what follows ESC.
void filter_escape(std::string_view body, FilterState& state, std::string& out);

}  // namespace paddock::terminal
