// The brief of one start: what the plan says, and what only the moment of the start can tell.
#pragma once

#include "base/result.h"
#include "plan/plan.h"
#include "protocol/brief_writer.h"

namespace paddock {

// brief_of(plan), with the limits on open files (the payload's stay below ours: whatever it does, the warden has
// some left) and the namespaces that we are in and the sandbox must not be in. Errors: ours cannot be told, for
// /proc is not there.
Result<protocol::BriefInput> brief_for_start(const Plan& plan);

}  // namespace paddock
