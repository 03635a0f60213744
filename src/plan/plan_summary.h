// What a plan comes to, said in words for people and in guarantees for backends: from the policy and the
// mounts that it led to.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"
#include "policy/policy.h"

namespace paddock {

// Fills choices, relaxations (appended), notes (appended) and required guarantees. Everything else of
// the plan is in place.
void summarise(Plan& plan, const Policy& policy, const std::vector<std::string>& powerful_groups);

// Errors: the policy requires what its own choice of world or temporary files cannot hold on any backend.
Result<void> check_sockets_can_be_hidden(const Policy& policy);

}  // namespace paddock
