// The part of the output filter that judges OSC strings. Those that pass, and nothing else:
//   0 1 2 title · 4 104 palette · 10-19 110-119 colours · 8 hyperlink · 52 clipboard (write, by policy)
//   9 777 99 notification (by policy) · 9;4 progress
// Left out on purpose: 5113 (kitty file transfer), 1337 (iTerm2 files, user variables), 50 (font names
// come back), 7, 133 and 633 (they speak for the user's shell), 9;n of ConEmu (it runs programs).
#pragma once

#include <string>
#include <string_view>

#include "terminal/filter_state.h"

namespace paddock::terminal {

inline constexpr std::size_t title_bytes_max = 512;
inline constexpr std::size_t notification_bytes_max = 1024;
inline constexpr std::size_t hyperlink_bytes_max = 4096;
inline constexpr std::size_t colour_bytes_max = 4096;

// Appends to `out` what passes of the string `content`, with the terminator that it had, and notes in
// `state` what it changes.
void filter_osc(std::string_view content, StringEnd end, FilterState& state, std::string& out);

}  // namespace paddock::terminal
