// From the command line and the user's files to everything that a start needs: the merged policy, the
// harness, the values that were given, and the backend that holds the plan.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "cli/context.h"
#include "cli/arguments.h"
#include "cli/tier_files.h"
#include "harness/manifest.h"
#include "plan/resolve.h"
#include "harness/catalogue.h"
#include "policy/load.h"
#include "policy/profile.h"
#include "policy/sandbox_flags.h"

namespace paddock {

struct Setup {
  SandboxChoice choice;
  std::unique_ptr<Manifest> harness;
  ResolveInput input;                          // harness points into this
  std::map<std::string, std::string> given;    // values given by flag, file or configuration
  BackendSettings backends;                    // of the settings, under the ceiling
  std::unique_ptr<TierFiles> tiers;            // what was read, and how it was merged; input points into this
  bool sandboxed = true;
  Origin unsandboxed_by;
};

// The sandbox flags of a command line, with the files that they name. All errors are usage errors.
Result<SandboxChoice> read_choice(const Context& context, const Arguments& arguments);

// `words`: the harness or command with its arguments; may be empty for `explain` and `shell`.
Result<Setup> prepare(const Context& context, const Arguments& arguments, std::vector<std::string> words);

// The plan of what was set up. Errors: those of resolve; a workspace that is another one than its settings were
// read for; an own directory of Paddock's where a sandbox can write; what the ceiling forbids.
Result<Plan> make_plan(const Context& context, const Setup& setup);

// What is told once at the start: warnings of the command line, and what files asked in vain.
std::vector<std::string> start_lines(const Setup& setup);

struct ChosenBackend {
  const Backend* backend = nullptr;
  ProbeReport probe;
};

// How backends are probed for this start, and which of them may be taken, in order.
ProbeRequest probe_request(const Context& context, const BackendSettings& settings);
std::vector<const Backend*> candidates(const Setup& setup);

// The named backend, or the first that holds the plan. The refusal names every backend with its reason.
Result<ChosenBackend> choose_backend(const Context& context, const Setup& setup, const Plan& plan);

// "\n  NAME: why\n    fix: …" for each, as a part of an error's message.
std::string reasons_of(std::string_view backend, const std::vector<Missing>& missing);

ProfileReader profile_reader(const Context& context);
ManifestReader manifest_reader(const Context& context);
GuaranteeNames guarantee_names();

}  // namespace paddock
