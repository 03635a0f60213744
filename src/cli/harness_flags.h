// The flags that a manifest relies on, checked against the installed program's own help, once for each
// version of the program. What is missing is a warning, and the feature is left out.
#pragma once

#include "cli/setup.h"

namespace paddock {

// Runs `PROGRAM --help` inside a sandbox of the strictest kind, never on the host. Cached by program and
// manifest: a warm start asks nothing. Errors: a flag that skips the harness's own permission checks
// is not known to this version.
Result<void> check_harness_flags(const Context& context, const Setup& setup, const Plan& plan);

}  // namespace paddock
