// Starting what was set up, for every command that starts something in the foreground.
#pragma once

#include "cli/setup.h"

namespace paddock {

// The exit code of the command. Replaces this process when there is to be no sandbox.
Result<int> start_plan(const Context& context, const Setup& setup);

// The warnings and the status line, once, on stderr.
void announce(const Context& context, const Plan& plan, const ChosenBackend& chosen);

// Adds to an error of a start what helps: where the command is on the host, what was tried, and what has changed
// on this machine since its backend was probed.
Error explain_failure(const Context& context, const Setup& setup, const Plan& plan, const ChosenBackend& chosen, Error failure);

}  // namespace paddock
