// From a started launch to a warden that has found everything as planned.
#pragma once

#include "backend/backend.h"
#include "plan/plan.h"
#include "sandbox/start.h"
#include "sandbox/talk.h"

namespace paddock {

struct Ready {
  int landlock_abi = 0;
};

// Waits until the warden is ready. Errors say what differs from the plan, or what the backend said.
Result<Ready> wait_until_ready(StartedSandbox& sandbox, WardenTalk& talk, const Plan& plan, unsigned timeout_ms);

// Errors: less of Landlock is in force than the probe has found, and with it less may hold than was promised.
Result<void> check_landlock(const Ready& ready, int abi_probed);

// For probes: starts the plan of `lower` with a brief that checks only; the Landlock ABI.
Result<int> run_probe(LowerRequest lower, Result<Launch> (*by)(const LowerRequest&), const std::string& warden, unsigned timeout_s);

}  // namespace paddock
