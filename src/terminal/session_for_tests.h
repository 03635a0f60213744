// For tests: a terminal with somebody at it, a shell of its own session, and jobs of that shell.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <sys/types.h>
#include <termios.h>

#include "base/fd.h"
#include "terminal/terminal_guard.h"

namespace paddock::terminal {

struct PtyPair {
  Fd master;
  Fd slave;
};
PtyPair open_pty();       // with the settings that the kernel gives it: cooked
PtyPair open_raw_pty();   // bytes pass as they are

// Plays a terminal emulator: what it sends for each piece that a program writes.
using Answer = std::function<std::string(std::string_view written)>;
// Answers DSR 5, after `late`: what came before it on its way.
Answer answer_status(std::string late = {});

struct SessionResult {
  std::string report;  // what the shell returned
  std::string screen;  // all that was written to the terminal
};
// Runs `shell` as the leader of a new session whose controlling terminal is a new pty; it gets the slave.
SessionResult run_session(const std::function<std::string(int terminal)>& shell, const Answer& answer = {});

// In the shell: a job in a process group of its own. Ends with what `job` returns.
pid_t start_job(int terminal, Foreground foreground, const std::function<int()>& job);
void give_terminal_to(int terminal, pid_t group);
// "exited 3", "killed 15", "stopped 20"; waits at most some seconds ("hangs").
std::string wait_for_change(pid_t job);
// Whether `probe` comes true within some seconds.
bool eventually(const std::function<bool()>& probe);

termios settings_of(int terminal);
bool same_settings(const termios& a, const termios& b);
bool is_raw(int terminal);

}  // namespace paddock::terminal
