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
  BackendSettings backends;                    // of the user's configuration
  bool sandboxed = true;
  Origin unsandboxed_by;
};

// `words`: the harness or command with its arguments; may be empty for `explain` and `shell`.
Result<Setup> prepare(const Context& context, const Arguments& arguments, std::vector<std::string> words);

struct ChosenBackend {
  const Backend* backend = nullptr;
  ProbeReport probe;
};

// How backends are probed for this start, and which of them may be taken, in order.
ProbeRequest probe_request(const Context& context, const BackendSettings& settings);
std::vector<const Backend*> candidates(const Setup& setup);

// The named backend, or the first that holds the plan. The refusal names every backend with its reason.
Result<ChosenBackend> choose_backend(const Context& context, const Setup& setup, const Plan& plan);

// The user's own; empty where there is none. Errors: it cannot be read, or a line of it is wrong.
Result<PolicyFile> read_user_config(const Context& context);

// "\n  NAME: why\n    fix: …" for each, as a part of an error's message.
std::string reasons_of(std::string_view backend, const std::vector<Missing>& missing);

ProfileReader profile_reader(const Context& context);
ManifestReader manifest_reader(const Context& context);
GuaranteeNames guarantee_names();

}  // namespace paddock
