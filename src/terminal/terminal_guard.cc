#include "terminal/terminal_guard.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <unistd.h>

#include "terminal/emergency_restore.h"

namespace paddock::terminal {
namespace {

// Reads and writes are never split by signals here: they are blocked or ignored; tcsetattr is not.
bool set(int terminal, int when, const termios& settings) {
  int result = 0;
  do {
    result = ::tcsetattr(terminal, when, &settings);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

termios raw_of(termios settings) {
  ::cfmakeraw(&settings);
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  return settings;
}

}  // namespace

Foreground has_terminal(int terminal) {
  const pid_t group = ::tcgetpgrp(terminal);
  if (group < 0) return errno == ENOTTY ? Foreground::yes : Foreground::no;
  return group == ::getpgrp() ? Foreground::yes : Foreground::no;
}

Result<TerminalGuard> TerminalGuard::take(int terminal, GuardMode mode) {
  termios settings{};
  if (::tcgetattr(terminal, &settings) != 0) return system_error("reading the settings of the terminal", errno);
  TerminalGuard guard(terminal, mode, settings);
  guard.foreground_ = has_terminal(terminal);
  if (guard.foreground_ == Foreground::yes) guard.enter();
  return guard;
}

TerminalGuard::TerminalGuard(TerminalGuard&& other) noexcept
    : terminal_(std::exchange(other.terminal_, -1)),
      mode_(other.mode_),
      settings_(other.settings_),
      foreground_(other.foreground_),
      entered_(std::exchange(other.entered_, false)) {}

Foreground TerminalGuard::update() {
  if (terminal_ < 0) return Foreground::no;
  const Foreground before = std::exchange(foreground_, has_terminal(terminal_));
  if (foreground_ == Foreground::no) {
    entered_ = false;
    return foreground_;
  }
  // The shell may have given the terminal other settings while it had it: those are the user's now.
  if (!entered_ && before == Foreground::no) ::tcgetattr(terminal_, &settings_);
  enter();
  return foreground_;
}

void TerminalGuard::enter() {
  if (mode_ == GuardMode::lines) return;
  emergency::arm(terminal_, settings_);
  // Without TCSAFLUSH: what was typed ahead is for the payload.
  entered_ = set(terminal_, TCSADRAIN, raw_of(settings_));
}

void TerminalGuard::restore() {
  if (!entered_) return;
  entered_ = false;
  if (has_terminal(terminal_) == Foreground::yes) set(terminal_, TCSADRAIN, settings_);
  emergency::disarm();
}

void stop_own_job() {
  struct sigaction stop {};
  struct sigaction former {};
  ::sigaction(SIGTSTP, nullptr, &former);
  if (former.sa_handler == SIG_IGN) return;
  stop.sa_handler = SIG_DFL;
  sigset_t only{};
  sigset_t blocked{};
  ::sigemptyset(&only);
  ::sigaddset(&only, SIGTSTP);
  ::pthread_sigmask(SIG_BLOCK, &only, &blocked);
  ::sigaction(SIGTSTP, &stop, &former);
  ::kill(0, SIGTSTP);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);  // stops here
  ::sigaction(SIGTSTP, &former, nullptr);
  ::pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
}

}  // namespace paddock::terminal
