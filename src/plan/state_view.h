// The harness's own directories: where they are, how far they may be written, and which parts of
// them are protected because the harness executes them when it runs on the host.
#pragma once

#include <map>

#include "harness/manifest.h"
#include "harness/state_names.h"
#include "plan/protector.h"
#include "plan/risk.h"
#include "plan/resolve.h"

namespace paddock {

struct StateInput {
  const Manifest* harness = nullptr;
  CredentialMode credentials = CredentialMode::login;
  Caches caches = Caches::harness;
  std::string home;
  std::string private_root;  // where `private` keeps this project's state
  std::map<std::string, std::string> environment;
};

StateInput state_input(const ResolveInput& input, const std::string& home);

struct StateResult {
  std::vector<Seed> seeds;  // absent directories and files that the first run needs
  std::vector<std::pair<std::string, std::string>> exported;  // variables that name a directory
  std::string first;        // the first state directory, for {state}
  std::vector<GrantedPath> shown;  // directories of the host's, links resolved
};

// One writable state directory, for the look before and after a run: names that the manifest does not
// know count as code, and some keys are told of when they change.
struct StateTree {
  std::string directory;           // links resolved
  std::vector<std::string> known;  // first names, patterns among them
  std::vector<WatchedFile> watch;
};

// Of the modes in which the host's own directories are written and kept from carrying code.
std::vector<StateTree> state_trees(const HostView& host, const StateInput& input);

// Claims the directories and protects their executable parts.
StateResult claim_state(MountTable& table, Protector& protector, const HostView& host, const StateInput& input);

}  // namespace paddock
