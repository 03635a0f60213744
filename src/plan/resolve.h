// resolve: a policy, a harness and the view of one machine make a plan. Deterministic; the only
// things it asks are HostView's.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "harness/manifest.h"
#include "plan/host_view.h"
#include "plan/plan.h"
#include "policy/ceiling.h"
#include "policy/policy.h"

namespace paddock {

// What is to be started, and from where.
struct ResolveInput {
  Policy policy;                 // complete: every scalar stated
  std::string profile;
  const Manifest* harness = nullptr;       // never null; outlives the call
  std::vector<std::string> command;        // argv; [0] as the user said it (harness: filled from its bins)
  std::string workspace;                   // as named by the user; empty: found
  std::string directory;                   // absolute, the current one, $PWD kept if it is the same place
  std::map<std::string, std::string> environment;  // the host's; names and harmless values are used, secrets only by name
  std::string state_directory;             // Paddock's own: stand-in sources, never granted
  std::vector<std::string> masked;         // paths to be hidden too: absolute, no pattern, byte for byte
  bool only_named = false;                 // writable is what the policy names; a repository that lies elsewhere is not
  std::string cache_directory;             // Paddock's own tool caches (dev)
  std::string data_directory;              // Paddock's data: state that `private` keeps; never granted
  std::vector<std::string> own_programs;   // this program and what it starts: never writable
  std::vector<std::string> own_directories;  // of Paddock's others: configuration, data; never granted
  const Ceiling* ceiling = nullptr;  // the policy is under it; what grants lead to is judged here. Outlives the call
};

Result<Plan> resolve(const ResolveInput& input, const HostView& host);

}  // namespace paddock
