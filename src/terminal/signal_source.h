// The signals of a foreground run as events of its poll loop.
#pragma once

#include <array>
#include <csignal>
#include <optional>

#include "base/fd.h"
#include "base/result.h"

namespace paddock::terminal {

// Sent on to the payload when they come to us. With the terminal raw, keys never become signals of
// ours, so these were meant: from kill(1), a service manager, or a terminal that has gone (HUP).
inline constexpr std::array forwarded_signals{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

constexpr bool is_forwarded(int signal) {
  for (const int forwarded : forwarded_signals) {
    if (forwarded == signal) return true;
  }
  return false;
}

// While it lives, WINCH, CONT, TSTP and the forwarded signals are blocked and read from fd(); SIGTTIN,
// SIGTTOU and SIGPIPE are ignored (reading in the background then fails with EIO, writing works). A
// signal that was ignored at the start (nohup, a shell's `&`) stays ignored. One for a process; from
// the main thread, before there are others. spawn() gives children the defaults back.
class [[nodiscard]] SignalSource {
 public:
  static Result<SignalSource> create();

  SignalSource(SignalSource&& other) noexcept;
  SignalSource& operator=(SignalSource&&) = delete;
  ~SignalSource();

  [[nodiscard]] int fd() const { return fd_.get(); }  // poll it for POLLIN
  // The next signal that has come, if any. Never blocks.
  std::optional<int> next();

 private:
  static constexpr std::array ignored_signals{SIGTTIN, SIGTTOU, SIGPIPE};

  SignalSource() = default;

  Fd fd_;
  sigset_t former_mask_{};
  std::array<struct sigaction, ignored_signals.size()> former_{};
};

}  // namespace paddock::terminal
