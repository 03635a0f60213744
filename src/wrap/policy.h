// The policy that a wrapped command runs under: what its request says, and nothing that it does not say.
#pragma once

#include "policy/policy.h"
#include "wrap/request.h"

namespace paddock {

// Complete. The whole host in view, read-only; no credentials, caches or tool directories of Paddock's own.
// `settings`: the user's own policy, of which only what tightens is taken: masks, protections, limits and
// required guarantees.
Policy policy_of(const WrapRequest& request, const Policy& settings);

}  // namespace paddock
