// Which sandbox an answer of a program was given in, without where it was: two runs in two projects are one. Pure.
#pragma once

#include <string>

#include "plan/plan.h"

namespace paddock {

// Everything in the plan that decides whether a program can run inside: mounts outside the workspace and its
// repository, the user, the kind of network and nesting, the environment but for what describes a terminal or a repository.
std::string sandbox_kind(const Plan& plan);

}  // namespace paddock
