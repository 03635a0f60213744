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
  std::string private_root;  // where `private` keeps this project's state, see private_root_of
  std::map<std::string, std::string> environment;
};

StateInput state_input(const ResolveInput& input, const std::string& home);

// Where `private` keeps the state of one project: below Paddock's data, in a directory named after the
// project's real path. Two projects never share one, nor does one lie in what another one's payload writes.
std::string private_root_of(const std::string& data_directory, const std::string& workspace);

struct StateResult {
  std::vector<Seed> seeds;  // absent directories and files that the first run needs
  std::vector<std::pair<std::string, std::string>> exported;  // variables that name a directory
  std::string first;        // the first state directory, for {state}
  std::vector<GrantedPath> shown;  // directories of the host's, links resolved
  std::vector<std::string> notes;  // for people
};

// One writable state directory of the host's, for the look before and after a run.
struct StateTree {
  std::string directory;             // links resolved
  std::string named;                 // as the harness names it
  std::vector<std::string> known;    // first names, patterns among them; any other that appears counts as code
  std::vector<WatchedFile> watch;    // keys in files that are told of when they change
  std::vector<std::string> secrets;  // sign-in files: told of when they change and no key of theirs says how
  std::vector<std::string> code;     // only where it may be written: told of when it changes
};

// Of the modes in which the host's own directories are written: minimal, login and shared.
std::vector<StateTree> state_trees(const HostView& host, const StateInput& input);

// Claims the directories and protects their executable parts. Error (cannot_start): a private directory
// that something has replaced by a link.
Result<StateResult> claim_state(MountTable& table, Protector& protector, const HostView& host, const StateInput& input);

}  // namespace paddock
