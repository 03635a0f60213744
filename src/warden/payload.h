// The last steps before the payload's first instruction, and the small process that holds its
// terminal. Rules: nothing here allocates; a child closes the control socket before anything else;
// every failing step refuses the command, none is skipped.
#pragma once

#include "protocol/brief.h"
#include "protocol/frame.h"
#include "sys/syscall.h"

namespace paddock::warden {

struct Payload {
  const void* brief_file = nullptr;
  const protocol::Brief* brief = nullptr;
  const protocol::Command* command = nullptr;
  const char* const* argv = nullptr;
  const char* const* environment = nullptr;
  const char* directory = nullptr;
  const char* search_path = nullptr;
  int ruleset = -1;
  int terminal = -1;  // the pty's slave, -1: none
};

struct Started {
  int pid = -1;       // of the process to watch: the payload, or the leader that holds its terminal
  int report = -1;    // reports of the leader (LeaderReport); -1 without a terminal
  int group = -1;     // the payload's process group, known with a report from the leader
  int number = 0;     // errno of the step that failed
  protocol::Step step = protocol::Step::execute;
};

// What the leader writes to its report pipe: one of these, whole.
struct LeaderReport {
  enum class What : int { started = 1, failed, status } what;
  int a;  // pid | errno | wait status
  int b;  // - | step | -
};

// Installs the brief's filter for this process and all that it starts; no_new_privs is set. 0 or -errno; 0
// without a filter.
sys::Word install_filter(const void* brief_file, const protocol::Brief& brief);

// Starts it without a terminal: its own session, watched by the warden itself.
Started start_plain(const Payload& payload);
// Starts a leader in a session of its own with the terminal; the leader starts the payload in the
// terminal's foreground group, so that job control works, and reports.
Started start_with_terminal(const Payload& payload);

}  // namespace paddock::warden
