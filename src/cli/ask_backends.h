// Every backend that may be taken, asked what it holds of one plan: for those who tell about it.
#pragma once

#include "cli/setup.h"
#include "plan/explain.h"

namespace paddock {

struct AskedBackends {
  std::optional<BackendFacts> chosen;  // the first that holds the plan
  ProbeReport probe;                   // its own
  const Backend* backend = nullptr;    // it
  std::vector<BackendFacts> refused;   // those before it, or all of them, with what each does not hold
};

AskedBackends ask_backends(const Context& context, const Setup& setup, const Plan& plan);

}  // namespace paddock
