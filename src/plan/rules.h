// The policy's path rules made concrete on one machine: grants, masks and protections.
#pragma once

#include <map>

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

// What the rules with wildcards match on this machine, found in one walk.
class RuleMatches {
 public:
  // `roots`: every tree that a person granted; patterns that begin with "**" apply in each.
  static Result<RuleMatches> find(const FilesystemPolicy& policy, const RuleContext& context, const std::vector<std::string>& roots,
                                  const HostView& host);
  // Of one rule of that policy: the paths that exist, in order.
  std::vector<std::string> of(const PatternRule& rule, const RuleContext& context, const HostView& host) const;

 private:
  std::map<const PatternRule*, std::vector<std::string>> by_rule_;
};

// Pins the directories above a mask as far as they are writable: one that is renamed would show what it hides
// to the next run, at another path.
void pin_above(MountTable& table, const HostView& host, const std::string& place, const Origin& origin, unsigned levels = ~0u);

// What became of the rules, for people.
struct RuleReport {
  std::vector<RuleOutcome>& outcomes;
  std::vector<Relaxation>& relaxations;
  std::vector<std::string>& links;  // masked by a name that the payload could lead elsewhere
};

void claim_masks(MountTable& table, const HostView& host, const std::vector<PatternRule>& rules, const RuleContext& context,
                 const RuleMatches& matches, RuleReport report);

// Paths as they are, without patterns and places of home or the workspace.
void claim_exact_masks(MountTable& table, const HostView& host, const std::vector<std::string>& paths, RuleReport report);

// The user's own protections.
void claim_protections(Protector& protector, const HostView& host, const std::vector<PatternRule>& rules, const RuleContext& context,
                       const std::vector<std::string>& roots, const RuleMatches& matches, std::vector<RuleOutcome>& outcomes);

}  // namespace paddock
