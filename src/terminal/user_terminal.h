// Which of our standard descriptors are the user's terminal, opened again so that reading and writing
// never blocks us: O_NONBLOCK on the inherited ones would be shared with the user's shell.
#pragma once

#include <array>

#include "base/fd.h"
#include "base/result.h"

namespace paddock::terminal {

struct UserTerminal {
  std::array<bool, 3> stream_is_terminal{};  // of the descriptors 0, 1, 2
  Fd input;    // valid if stdin is a terminal
  Fd output;   // valid if stdout or stderr is one: that of stdout first; both share the one pty
  [[nodiscard]] bool any() const { return input.valid() || output.valid(); }
  // The descriptor to ask for sizes and foreground; -1 if there is none.
  [[nodiscard]] int control() const { return output.valid() ? output.get() : input.get(); }
};

// Where a terminal cannot be opened again (it belongs to another user, as after su), the descriptor is
// a duplicate that may block; the relay then writes in small pieces.
Result<UserTerminal> find_user_terminal(int stdin_fd = 0, int stdout_fd = 1, int stderr_fd = 2);

}  // namespace paddock::terminal
