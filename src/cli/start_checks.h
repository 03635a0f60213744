// What a finished plan is held to before anything of it is started.
#pragma once

#include "cli/setup.h"

namespace paddock {

// Errors, all cannot_start: the workspace is another one than that whose settings were read; one of Paddock's
// own directories, moved by a variable or a link, or settings at the end of one, lie where a sandbox can write;
// the ceiling forbids something of it; a guarantee is required that this policy does not ask for.
Result<void> check_plan(const Context& context, const Setup& setup, const Plan& plan);

}  // namespace paddock
