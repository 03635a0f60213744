// What doctor has to know of each agent: where it is, whether it answers, its login, and what of it a default
// sandbox shows.
#pragma once

#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/harness_versions.h"
#include "doctor/facts.h"
#include "policy/load.h"

namespace paddock {

// `workspace`: an empty directory. Versions are asked for in the sandbox for questions, all at one time, for at most
// version_timeout_ms; flags are told only as far as they are kept, for help calls may take long.
std::vector<doctor::HarnessFacts> harness_facts(const Context& context, const BackendSettings& settings, const std::string& workspace, Kept kept);

}  // namespace paddock
