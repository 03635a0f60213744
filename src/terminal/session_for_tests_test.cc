#include "terminal/session_for_tests.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

namespace paddock::terminal {
namespace {

constexpr int patience_ms = 10000;
constexpr int step_ms = 5;

// The emulator's side, until the session has closed its end of `report`.
SessionResult watch(const PtyPair& pty, int report, const Answer& answer) {
  SessionResult result;
  std::array<char, 4096> chunk;
  for (bool open = true; open;) {
    std::array<pollfd, 2> polls{{{pty.master.get(), POLLIN, 0}, {report, POLLIN, 0}}};
    ::poll(polls.data(), polls.size(), patience_ms);
    if ((polls[0].revents & POLLIN) != 0) {
      const ssize_t got = ::read(pty.master.get(), chunk.data(), chunk.size());
      const std::string_view written(chunk.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
      result.screen += written;
      const std::string typed = answer ? answer(written) : std::string();
      if (!typed.empty()) static_cast<void>(write_all(pty.master.get(), typed));
      continue;
    }
    const ssize_t got = ::read(report, chunk.data(), chunk.size());
    if (got > 0) result.report.append(chunk.data(), static_cast<std::size_t>(got));
    open = got > 0;
  }
  return result;
}

}  // namespace

PtyPair open_pty() {
  int master = -1;
  int slave = -1;
  winsize size{24, 80, 0, 0};
  if (::openpty(&master, &slave, nullptr, nullptr, &size) != 0) return {};
  ::fcntl(master, F_SETFD, FD_CLOEXEC);
  ::fcntl(slave, F_SETFD, FD_CLOEXEC);
  return {Fd(master), Fd(slave)};
}

PtyPair open_raw_pty() {
  PtyPair pty = open_pty();
  termios settings = settings_of(pty.slave.get());
  ::cfmakeraw(&settings);
  ::tcsetattr(pty.slave.get(), TCSANOW, &settings);
  return pty;
}

Answer answer_status(std::string late) {
  return [late](std::string_view written) {
    return written.find("\x1b[5n") == std::string_view::npos ? std::string() : late + "\x1b[0n";
  };
}

SessionResult run_session(const std::function<std::string(int)>& shell, const Answer& answer) {
  PtyPair pty = open_pty();
  Pipe report = make_pipe().value();
  const pid_t leader = ::fork();
  if (leader == 0) {
    ::setsid();
    ::ioctl(pty.slave.get(), TIOCSCTTY, 0);
    ::signal(SIGTTOU, SIG_IGN);
    ::signal(SIGHUP, SIG_IGN);
    pty.master.reset();
    const std::string text = shell(pty.slave.get());
    static_cast<void>(write_all(report.write.get(), text));
    ::_exit(0);
  }
  report.write.reset();
  SessionResult result = watch(pty, report.read.get(), answer);
  ::waitpid(leader, nullptr, 0);
  return result;
}

pid_t start_job(int terminal, Foreground foreground, const std::function<int()>& job) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::setpgid(0, 0);
    if (foreground == Foreground::yes) ::tcsetpgrp(terminal, ::getpid());
    ::signal(SIGTTOU, SIG_DFL);
    ::signal(SIGHUP, SIG_DFL);
    ::_exit(job());
  }
  ::setpgid(pid, pid);
  if (foreground == Foreground::yes) ::tcsetpgrp(terminal, pid);
  return pid;
}

void give_terminal_to(int terminal, pid_t group) { ::tcsetpgrp(terminal, group); }

std::string wait_for_change(pid_t job) {
  int status = 0;
  if (!eventually([&] { return ::waitpid(job, &status, WUNTRACED | WNOHANG) == job; })) {
    ::kill(job, SIGKILL);
    return "hangs";
  }
  if (WIFSTOPPED(status)) return "stopped " + std::to_string(WSTOPSIG(status));
  if (WIFSIGNALED(status)) return "killed " + std::to_string(WTERMSIG(status));
  return "exited " + std::to_string(WEXITSTATUS(status));
}

bool eventually(const std::function<bool()>& probe) {
  for (int waited = 0; waited < patience_ms; waited += step_ms) {
    if (probe()) return true;
    ::usleep(step_ms * 1000);
  }
  return false;
}

termios settings_of(int terminal) {
  termios settings{};
  ::tcgetattr(terminal, &settings);
  return settings;
}

bool same_settings(const termios& a, const termios& b) {
  return a.c_iflag == b.c_iflag && a.c_oflag == b.c_oflag && a.c_cflag == b.c_cflag && a.c_lflag == b.c_lflag &&
         std::memcmp(a.c_cc, b.c_cc, sizeof a.c_cc) == 0;
}

bool is_raw(int terminal) { return (settings_of(terminal).c_lflag & (ICANON | ECHO | ISIG)) == 0; }

}  // namespace paddock::terminal
