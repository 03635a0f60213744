#include "terminal/user_terminal.h"

#include <cerrno>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace paddock::terminal {
namespace {

Result<Fd> open_again(int fd, int access) {
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  Fd opened(::open(path.c_str(), access | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (opened.valid()) return opened;
  Fd duplicate(::fcntl(fd, F_DUPFD_CLOEXEC, 3));
  if (!duplicate.valid()) return system_error("duplicating the terminal's descriptor", errno);
  return duplicate;
}

}  // namespace

Result<UserTerminal> find_user_terminal(int stdin_fd, int stdout_fd, int stderr_fd) {
  const std::array<int, 3> fds{stdin_fd, stdout_fd, stderr_fd};
  UserTerminal terminal;
  for (std::size_t i = 0; i < fds.size(); ++i) terminal.stream_is_terminal[i] = ::isatty(fds[i]) == 1;
  if (terminal.stream_is_terminal[0]) terminal.input = TRY(open_again(stdin_fd, O_RDONLY));
  if (terminal.stream_is_terminal[1]) {
    terminal.output = TRY(open_again(stdout_fd, O_WRONLY));
  } else if (terminal.stream_is_terminal[2]) {
    terminal.output = TRY(open_again(stderr_fd, O_WRONLY));
  }
  return terminal;
}

}  // namespace paddock::terminal
