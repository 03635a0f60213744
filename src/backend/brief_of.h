// The warden's brief, made from a plan: what it must find, what Landlock grants, which filter and limits.
#pragma once

#include "plan/plan.h"
#include "protocol/brief_writer.h"

namespace paddock {

// `filter` is static data. The checks are numbered by the plan's mounts.
protocol::BriefInput brief_of(const Plan& plan);

}  // namespace paddock
