#include "terminal/window_size.h"

#include <cerrno>

namespace paddock::terminal {

Result<void> forward_window_size(int terminal, int master) {
  winsize size{};
  if (::ioctl(terminal, TIOCGWINSZ, &size) != 0) return system_error("reading the size of the terminal", errno);
  if (size.ws_row == 0 || size.ws_col == 0) size = unknown_window_size;
  if (::ioctl(master, TIOCSWINSZ, &size) != 0) return system_error("setting the size of the sandbox's terminal", errno);
  return {};
}

}  // namespace paddock::terminal
