// A whole foreground run of one plan: what must exist is made, the sandbox is started and served, and
// afterwards everything is looked at and cleared up.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "base/result.h"
#include "plan/plan.h"
#include "plan/state_view.h"

namespace paddock {

struct RunRequest {
  std::function<Result<Plan>()> make_plan;       // again after something was created on the host
  std::function<Result<void>(const Plan&)> announce;  // once, when the plan is fixed and fits
  std::function<Result<void>(const Plan&)> preflight;  // may be empty; with everything in place, before the command: an error stops the run
  const Backend* backend = nullptr;
  const ProbeReport* probe = nullptr;
  const std::map<std::string, std::string>* host_environment = nullptr;  // never null, outlives the run
  std::map<std::string, std::string> given;      // values of variables that were given by value
  std::string warden;
  std::string state_directory;
  std::function<std::vector<StateTree>()> state_trees;  // of the harness, for the look before and after
};

struct RunResult {
  int exit_code = 0;
  std::vector<std::string> findings;  // of the look afterwards
};

// `plan` may be made again when the host changes meanwhile; afterwards it is the one that was run.
Result<RunResult> run_plan(Plan& plan, const RunRequest& request);

// The payload's environment, "NAME=value": literals, and what the host and the person gave.
std::vector<std::string> environment_values(const Plan& plan, const std::map<std::string, std::string>& host,
                                            const std::map<std::string, std::string>& given);

// An empty file of Paddock's own, the source of file masks.
Result<std::string> empty_file_in(const std::string& state_directory);

}  // namespace paddock
