// The ceiling where it can only be judged by what is really there: the paths that grants lead to, the
// workspace, what a harness of the user's own brings along, and the relaxations of a finished plan.
#pragma once

#include <string>
#include <vector>

#include "harness/manifest.h"
#include "plan/risk.h"
#include "policy/ceiling.h"

namespace paddock {

class CeilingCheck {
 public:
  // All outlive this. `ceiling` may be null: then nothing is refused.
  CeilingCheck(const Ceiling* ceiling, const Places& places, const HostView& host) : ceiling_(ceiling), places_(places), host_(host) {}

  // Why that may not be shown as it would be; empty when it may.
  std::string refusal_of_workspace(const GrantedPath& workspace) const;
  std::string refusal_of_grant(const GrantedPath& grant) const;
  // Of a harness: the shipped ones' directories are allowed with the credentials.
  std::string refusal_of_state(const GrantedPath& directory, const Manifest& harness) const;

 private:
  std::string refusal_below(const GrantedPath& path) const;
  bool is_within_any(const std::string& path, const std::vector<PathRule>& rules) const;
  std::string refusal_outside(const GrantedPath& path) const;

  const Ceiling* ceiling_;
  const Places& places_;
  const HostView& host_;
};

// What a finished plan asks beyond it: relaxations that are forbidden by name, and variables that a harness
// of the user's own passes or sets although they are not listed. Each is an error of the start.
std::vector<Breach> breaches(const Plan& plan, const Manifest& harness, const Ceiling& ceiling);

}  // namespace paddock
