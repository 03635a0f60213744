#include "terminal/foreground_terminal.h"

#include <termios.h>

#include "terminal/emergency_restore.h"
#include "terminal/window_size.h"

namespace paddock::terminal {

namespace {

// Where only output goes to the user's terminal, that one goes on making CR LF of line feeds (nothing
// else about it is ours to change); the payload's own must not do it too. On Linux the master's settings
// are the slave's (drivers/tty/tty_ioctl.c).
void leave_line_feeds(int master) {
  termios settings{};
  if (::tcgetattr(master, &settings) != 0) return;
  settings.c_oflag &= ~static_cast<tcflag_t>(OPOST);
  ::tcsetattr(master, TCSANOW, &settings);
}

}  // namespace

Result<void> ForegroundTerminal::start(int master, FilterOptions options) {
  emergency::install_handlers();
  TRY(forward_window_size(user_.control(), master));
  if (!user_.input.valid()) leave_line_feeds(master);
  Relay relay = TRY(Relay::create({master, user_.input.get(), user_.output.get()}, options));
  if (user_.input.valid()) {
    const GuardMode mode = user_.output.valid() ? GuardMode::raw : GuardMode::lines;
    guard_.emplace(TRY(TerminalGuard::take(user_.input.get(), mode)));
  }

  // From here on the terminal is the payload's: every way out of this object gives it back.

  master_ = master;
  relay_.emplace(std::move(relay));
  refresh();
  return {};
}

Foreground ForegroundTerminal::foreground() const {
  return guard_ ? guard_->foreground() : has_terminal(user_.control());
}

void ForegroundTerminal::prepare(std::vector<pollfd>& polls) {
  if (relay_) relay_->prepare(polls);
}

int ForegroundTerminal::timeout_ms() const {
  const bool waiting = guard_ && relay_ && relay_->input_flow() == InputFlow::paused && !relay_->terminal_gone();
  return waiting ? background_poll_ms : -1;
}

void ForegroundTerminal::handle(const std::vector<pollfd>& polls) {
  if (!relay_) return;
  relay_->handle(polls);
  if (timeout_ms() >= 0) refresh();
  note_changes();
}

void ForegroundTerminal::window_changed() {
  // An error means that one of the two terminals has gone, which the relay finds by itself.
  if (relay_) static_cast<void>(forward_window_size(user_.control(), master_));
}

void ForegroundTerminal::continued() {
  refresh();
  window_changed();
}

// Brings settings, input and screen in line with whether this job has the terminal.
void ForegroundTerminal::refresh() {
  if (!guard_ || !relay_) return;
  const bool ours = guard_->update() == Foreground::yes;
  relay_->set_input(ours ? InputFlow::open : InputFlow::paused);
  if (ours) set_again();
}

// If the payload has changed anything since it was continued, it sets itself what it wants.
void ForegroundTerminal::set_again() {
  if (!stopped_) return;
  const PayloadModes changed = *std::exchange(stopped_, std::nullopt);
  if (relay_->filter().payload() != PayloadModes{}) return;
  end_output({.output = user_.output.get(), .reset = redo_sequence(changed)});
  relay_->filter().exchange_payload(redone(changed));
  note_changes();
}

void ForegroundTerminal::note_changes() {
  const PayloadModes& changed = relay_->filter().payload();
  if (changed == armed_) return;
  armed_ = changed;
  emergency::set_undo(user_.output.get(), undo_sequence(changed));
}

OutputEnded ForegroundTerminal::undo(const PayloadModes& changed) {
  const bool ask = guard_ && guard_->foreground() == Foreground::yes && relay_->filter().answers_expected();
  const std::string reset = undo_sequence(changed);
  return end_output({.output = relay_->terminal_gone() ? -1 : user_.output.get(),
                     .input = user_.input.get(),
                     .reset = reset,
                     .ask = ask ? AskTerminal::yes : AskTerminal::no,
                     .answers_owed = relay_->status_answers_owed()});
}

void ForegroundTerminal::suspend() {
  if (!relay_) return stop_own_job();
  relay_->settle(settle_ms_max);
  const PayloadModes changed = relay_->filter().exchange_payload({});
  if (!stopped_) stopped_ = changed;
  relay_->deliver_input(undo(changed).drained);
  note_changes();
  if (guard_) guard_->restore();

  // From here on the terminal is as the user had it.

  stop_own_job();
  if (guard_) {
    refresh();
  } else {
    set_again();
  }
  window_changed();
}

void ForegroundTerminal::begin_finish() {
  if (relay_) relay_->begin_finish();
}

void ForegroundTerminal::end() {
  if (!relay_) return;
  if (!relay_->finished()) relay_->settle(settle_ms_max);
  undo(relay_->filter().exchange_payload({}));
  armed_ = {};
  emergency::set_undo(-1, {});
  guard_.reset();
  relay_.reset();
}

}  // namespace paddock::terminal
