// ForegroundTerminal is the user's side of one foreground run: the settings of the terminal, the relay,
// the window size, suspending and the end, in the right order. The sandbox's poll loop drives it.
#pragma once

#include <optional>
#include <vector>

#include <poll.h>

#include "base/result.h"
#include "terminal/output_end.h"
#include "terminal/relay.h"
#include "terminal/terminal_guard.h"
#include "terminal/user_terminal.h"

namespace paddock::terminal {

inline constexpr int settle_ms_max = 1000;  // for a terminal that takes nothing, at a stop and at the end

class ForegroundTerminal {
 public:
  explicit ForegroundTerminal(UserTerminal user) : user_(std::move(user)) {}
  ForegroundTerminal(const ForegroundTerminal&) = delete;
  ForegroundTerminal& operator=(const ForegroundTerminal&) = delete;
  ~ForegroundTerminal() { end(); }

  // Which of the payload's streams are to be the slave of its pty. None: there is no pty, and nothing
  // below is called.
  [[nodiscard]] const UserTerminal& user() const { return user_; }

  // Gives `master` (borrowed until end()) its size, takes the terminal and starts relaying. Between the
  // warden's `ready` and our `go`. From here on until end() nothing else may be printed.
  Result<void> start(int master, FilterOptions options);

  // The parts of the loop. timeout_ms() is the most that poll may wait; -1 for ever.
  void prepare(std::vector<pollfd>& polls);
  [[nodiscard]] int timeout_ms() const;
  void handle(const std::vector<pollfd>& polls);

  void window_changed();  // on SIGWINCH
  void continued();       // on SIGCONT: somebody has stopped us with SIGSTOP, or `fg` and `bg`

  // The payload has stopped (Ctrl-Z). Gives the terminal back as it was, stops this job, and after
  // SIGCONT takes it again, if the job is in the foreground. Then the caller continues the payload.
  void suspend();

  // The payload has ended: loop on until finished(), then end().
  void begin_finish();
  [[nodiscard]] bool finished() const { return !relay_ || relay_->finished(); }
  // Undoes what the payload changed, drains its late answers, restores the settings. Idempotent.
  void end();

  [[nodiscard]] bool terminal_gone() const { return relay_ && relay_->terminal_gone(); }
  [[nodiscard]] Foreground foreground() const;

 private:
  void refresh();
  void set_again();
  void note_changes();
  OutputEnded undo(const PayloadModes& changed);

  UserTerminal user_;
  std::optional<TerminalGuard> guard_;
  std::optional<Relay> relay_;
  int master_ = -1;
  PayloadModes armed_;                   // what emergency::set_undo() was told
  std::optional<PayloadModes> stopped_;  // undone at a stop and not set again yet
};

}  // namespace paddock::terminal
