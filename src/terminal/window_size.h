// The size of a terminal, carried from the user's to the payload's.
#pragma once

#include <sys/ioctl.h>

#include "base/result.h"

namespace paddock::terminal {

// Of a terminal that reports no size (0 rows or columns, as some CI systems have).
inline constexpr winsize unknown_window_size{24, 80, 0, 0};

// Gives `master` the size that `terminal` has now. The kernel sends SIGWINCH to the payload's foreground
// group when that changes something (tty_ioctl(4), TIOCSWINSZ). Call it before the payload starts, on
// each SIGWINCH and after each SIGCONT.
Result<void> forward_window_size(int terminal, int master);

}  // namespace paddock::terminal
