#include "terminal/emergency_restore.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <unistd.h>

#include "terminal/payload_modes.h"

namespace paddock::terminal::emergency {
namespace {

constexpr std::array fatal_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS,  SIGTRAP, SIGABRT, SIGHUP, SIGINT,
                                   SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ, SIGALRM, SIGUSR1, SIGUSR2, SIGPIPE};

// Written outside handlers, read inside: each value that a handler uses is complete before the atomic
// that announces it is set, and that is cleared before it changes.
struct Slot {
  std::atomic<int> terminal{-1};
  termios settings{};
  std::atomic<std::size_t> undo_bytes{0};
  int output = -1;
  std::array<char, undo_bytes_max + 1> undo{};
  std::array<struct sigaction, fatal_signals.size()> former{};
};
Slot slot;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<std::size_t>::is_always_lock_free);

// Async-signal-safe (signal-safety(7)): write, tcsetattr, tcgetpgrp, sigaction, raise. A job in the
// background leaves the terminal alone: another program has it.
void restore() {
  const std::size_t bytes = slot.undo_bytes.exchange(0);
  const int terminal = slot.terminal.exchange(-1);
  const int judge = terminal >= 0 ? terminal : slot.output;
  const pid_t foreground = judge >= 0 ? ::tcgetpgrp(judge) : -1;
  if (foreground >= 0 && foreground != ::getpgrp()) return;
  if (bytes > 0) [[maybe_unused]] const ssize_t ignored = ::write(slot.output, slot.undo.data(), bytes);
  if (terminal >= 0) ::tcsetattr(terminal, TCSANOW, &slot.settings);
}

void handle(int signal) {
  const int saved = errno;
  restore();
  for (std::size_t i = 0; i < fatal_signals.size(); ++i) {
    if (fatal_signals[i] == signal) ::sigaction(signal, &slot.former[i], nullptr);
  }
  errno = saved;
  ::raise(signal);  // blocked until this handler returns
}

bool is_default(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

// Faults are handled also where somebody does already (a sanitizer), who then comes second.
bool is_fault(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGABRT;
}

}  // namespace

void install_handlers() {
  static bool installed = false;
  if (installed) return;
  installed = true;
  struct sigaction action {};
  action.sa_handler = handle;
  action.sa_flags = SA_ONSTACK;
  ::sigfillset(&action.sa_mask);
  for (std::size_t i = 0; i < fatal_signals.size(); ++i) {
    ::sigaction(fatal_signals[i], nullptr, &slot.former[i]);
    if (!is_default(slot.former[i]) && !is_fault(fatal_signals[i])) continue;
    ::sigaction(fatal_signals[i], &action, nullptr);
  }
}

void arm(int terminal, const termios& settings) {
  slot.terminal = -1;
  slot.settings = settings;
  slot.terminal = terminal;
}

void set_undo(int output, std::string_view bytes) {
  slot.undo_bytes = 0;
  if (bytes.empty() || bytes.size() > undo_bytes_max) return;
  slot.output = output;
  slot.undo[0] = '\x18';
  std::memcpy(slot.undo.data() + 1, bytes.data(), bytes.size());
  slot.undo_bytes = bytes.size() + 1;
}

void disarm() { slot.terminal = -1; }

}  // namespace paddock::terminal::emergency
