// TerminalGuard holds the user's terminal in raw mode while the payload has it, and gives it back as
// it was: in its destructor, when a fatal signal comes, and while the job is stopped.
//
// It never touches a terminal whose foreground is another job, so a background job leaves the shell's
// settings alone and SIGTTOU never comes; brought to the foreground it goes raw then.
#pragma once

#include <termios.h>

#include "base/result.h"

namespace paddock::terminal {

// `raw`: every key goes to the payload's terminal, which edits lines, echoes and makes signals of them.
// `lines`: the user's terminal goes on doing that, for a payload whose output nobody sees on it
// (stdout and stderr are elsewhere); the signals then come to us.
enum class GuardMode { raw, lines };

enum class Foreground { no, yes };

// While the job is in the background, how often update() wants to be called: a shell's `fg` of a job
// that runs sends no signal.
inline constexpr int background_poll_ms = 250;

class [[nodiscard]] TerminalGuard {
 public:
  // Remembers the settings of `terminal` (borrowed) and, in the foreground, enters the mode.
  static Result<TerminalGuard> take(int terminal, GuardMode mode);

  TerminalGuard(TerminalGuard&& other) noexcept;
  TerminalGuard& operator=(TerminalGuard&&) = delete;
  ~TerminalGuard() { restore(); }

  // Looks whether this job has the terminal, and enters the mode if it does and has not yet, or if the
  // settings were changed meanwhile (we were stopped with SIGSTOP). After SIGCONT, and at each
  // wake-up while it says no.
  Foreground update();
  [[nodiscard]] Foreground foreground() const { return foreground_; }

  // The settings of before. Idempotent; does nothing in the background.
  void restore();

 private:
  TerminalGuard(int terminal, GuardMode mode, const termios& settings)
      : terminal_(terminal), mode_(mode), settings_(settings) {}
  void enter();

  int terminal_ = -1;
  GuardMode mode_ = GuardMode::raw;
  termios settings_{};  // as the user had them
  Foreground foreground_ = Foreground::no;
  bool entered_ = false;
};

// Whether this process's group has the terminal. Also where it is not our controlling terminal: then
// there is no job control, and nobody else to leave it to.
Foreground has_terminal(int terminal);

// Stops this process's whole group, as a Ctrl-Z typed at a shell does, so that a pipeline stops as one;
// returns after SIGCONT, or at once where the kernel ignores it (SIGTSTP was ignored at the start, or
// there is no shell above the group: setpgid(2), "orphaned process group").
void stop_own_job();

}  // namespace paddock::terminal
