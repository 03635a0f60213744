// The harness's own directories: where they are, how far they may be written, and which parts of
// them are protected because the harness executes them when it runs on the host.
#pragma once

#include <map>

#include "harness/manifest.h"
#include "plan/protector.h"

namespace paddock {

struct StateInput {
  const Manifest* harness = nullptr;
  CredentialMode credentials = CredentialMode::login;
  Caches caches = Caches::harness;
  std::string home;
  std::string private_root;  // where `private` keeps this project's state
  std::map<std::string, std::string> environment;
};

struct StateResult {
  std::vector<Seed> seeds;  // absent directories and files that the first run needs
  std::vector<std::pair<std::string, std::string>> exported;  // variables that name a directory
  std::string first;        // the first state directory, for {state}
};

// Claims the directories and protects their executable parts.
StateResult claim_state(MountTable& table, Protector& protector, const HostView& host, const StateInput& input);

}  // namespace paddock
