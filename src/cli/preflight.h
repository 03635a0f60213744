// Before an agent's first run: does its program run at all in this sandbox? It is asked for its version in exactly
// the sandbox that the run will have, once for each program and kind of sandbox.
#pragma once

#include <functional>

#include "cli/setup.h"

namespace paddock {

inline constexpr std::size_t preflights_kept_max = 32;  // for one harness

// What still has to be asked before a run of `plan`; an empty function when nothing has to: it is no agent, its
// manifest says that it cannot be asked, or it has answered before (one small file tells). `program`: where the
// plan's command leads on the host. All arguments outlive the answer. The function gives an error that says what is missing, with what the
// program said last: not_found (a program, an interpreter, a library), cannot_start otherwise. Only a good answer is kept.
std::function<Result<void>(const Plan& plan)> needed_preflight(const Context& context, const Setup& setup, const ChosenBackend& chosen, const Plan& plan, const Executable& program);

}  // namespace paddock
