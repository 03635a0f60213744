// What a fatal signal still does for the user's terminal: its mode and screen as they were. The one
// place of this layer with global state, because a signal handler can reach nothing else.
#pragma once

#include <string_view>

#include <termios.h>

namespace paddock::terminal::emergency {

// Handles the fatal signals (SEGV, BUS, FPE, ILL, SYS, TRAP, ABRT) and those that end a process by
// default and were neither ignored nor handled (HUP, INT, QUIT, TERM, …): the handler restores, puts the
// former action back and raises the signal again. A job in the background leaves the terminal alone.
// Once for a process; later calls do nothing. A thread that blocks a signal, as SignalSource makes it,
// does not run the handler for it.
void install_handlers();

// From here on a fatal signal sets `terminal` (borrowed until disarm()) to `settings`.
void arm(int terminal, const termios& settings);
void disarm();

// From here on it also writes CAN (which ends whatever sequence was cut off) and `bytes` to `output`
// (borrowed), at most undo_bytes_max: longer ones are left out. Empty: it writes nothing.
void set_undo(int output, std::string_view bytes);

}  // namespace paddock::terminal::emergency
