// The payload's variables: which, and where each comes from. Values of the host's own variables are
// read only where they are harmless (PATH, TERM, the locale); of all others only the names are used.
#pragma once

#include <map>

#include "harness/manifest.h"
#include "plan/mount_table.h"
#include "plan/plan.h"

namespace paddock {

struct EnvironmentInput {
  EnvironmentBase base = EnvironmentBase::minimal;
  std::vector<VariableRule> rules;
  Origin base_origin;
  const Manifest* harness = nullptr;
  CredentialMode credentials = CredentialMode::login;
  Permissions permissions = Permissions::ask;
  PlanUser user;
  std::string state;  // for {state}
  std::string temporary = "/tmp";  // of TMPDIR
  std::vector<ShimDirectory> shims;  // of the command
  std::vector<std::pair<std::string, std::string>> exported;
  std::vector<std::pair<std::string, std::string>> git_overrides;
  const std::map<std::string, std::string>* host = nullptr;  // its environment; never null, outlives the call
};

// Sorted by name, one each; what a person named wins over the harness, which wins over the base.
// PATH keeps the host's order without the entries that do not exist inside; before a directory of shims
// that the command goes through stands the one of the programs behind them.
std::vector<Variable> environment_of(const EnvironmentInput& input, const MountTable& table, const HostView& host);

// Never passed unless named: sockets, loaders, start-up files, tokens (THREATS 24).
bool is_dropped_unless_named(std::string_view name);

}  // namespace paddock
