// The policy's path rules made concrete on one machine: grants, masks and protections.
#pragma once

#include "plan/protector.h"
#include "plan/risk.h"

namespace paddock {

struct RuleContext {
  std::string workspace;  // real
  std::string home;
};

// Absolute and normal, not resolved: "~/x", "x" from the rule's base (or the workspace).
std::string place_of(const std::string& path, const std::string& base, const RuleContext& context);

// `read` and `write` rules. An absent path is an error unless it is optional. Each granted path goes
// to `granted` with what it is, for the risks and for patterns.
Result<void> claim_grants(MountTable& table, const HostView& host, const FilesystemPolicy& policy, const RuleContext& context,
                          std::vector<GrantedPath>& granted, std::vector<RuleOutcome>& outcomes);

// What became of the rules, for people.
struct RuleReport {
  std::vector<RuleOutcome>& outcomes;
  std::vector<Relaxation>& relaxations;
};

// Masks: exact ones and patterns, in all of `roots` for patterns that begin with "**".
Result<void> claim_masks(MountTable& table, const HostView& host, const std::vector<PatternRule>& rules, const RuleContext& context,
                         const std::vector<std::string>& roots, RuleReport report);

// The user's own protections.
Result<void> claim_protections(Protector& protector, const HostView& host, const std::vector<PatternRule>& rules, const RuleContext& context,
                               const std::vector<std::string>& roots, std::vector<RuleOutcome>& outcomes);

}  // namespace paddock
