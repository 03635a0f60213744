// Grants that weaken the boundary more than their words say: each becomes one named relaxation for each
// thing that it opens, or is refused when it would let the sandbox plant what the host runs.
#pragma once

#include <string>
#include <vector>

#include "plan/host_view.h"
#include "plan/mount_table.h"
#include "plan/plan.h"

namespace paddock {

struct GrantedPath {
  std::string path;  // real
  FileKind kind = FileKind::directory;
  MountAccess access = MountAccess::read_only;
  Origin origin;
};

struct RiskInput {
  std::string home;            // real
  std::string workspace;       // real
  std::string search_path;     // the host's PATH
  std::vector<std::string> own_directories;  // Paddock's configuration, data, state, sockets
  bool plants_allowed = false; // protect_existing was given up by name
};

// Everything that this grant opens beyond a plain directory, one entry a name.
std::vector<Relaxation> risks_of(const GrantedPath& grant, const RiskInput& input, const HostView& host);
// With the whole host in view: that, and which of the places of secrets are there and not masked.
Relaxation risk_of_world(const MountTable& table, const HostView& host, const std::string& home, const Origin& origin);
// Why it may not be granted at all; empty when it may.
std::string refusal_of(const GrantedPath& grant, const RiskInput& input, const HostView& host);
// A harness's state directory that is home, a place of secrets or the like: never granted.
std::string refusal_of_state(const GrantedPath& directory, const RiskInput& input, const HostView& host);

// The directories of the host's PATH, links resolved.
std::vector<std::string> search_directories(const RiskInput& input, const HostView& host);

}  // namespace paddock
