// Runs one started sandbox in the foreground, as its keeper: conversation, terminal, signals, time
// limit, and the exit code.
#pragma once

#include "plan/plan.h"
#include "sandbox/coming_up.h"
#include "sandbox/file_pump.h"
#include "sandbox/socket_relay.h"
#include "sandbox/start.h"

namespace paddock {

struct ForegroundRequest {
  const Plan* plan = nullptr;
  Streams streams;
  FilePumps* files = nullptr;    // borrowed
  SocketRelay* agent = nullptr;  // borrowed
  int landlock_abi = 0;          // that the backend's probe has found
  unsigned start_timeout_ms = 60'000;  // until the warden is ready
};

// The exit code to hand back: the command's own, 128+n for a signal, 124 for the time limit. Errors:
// cannot_start, not_found and not_executable before the command's first instruction.
Result<int> run_foreground(StartedSandbox sandbox, const ForegroundRequest& request);

}  // namespace paddock
