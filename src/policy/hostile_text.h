// What must hold of the readers for any bytes at all; used by the fuzz targets and the replay tests.
#pragma once

#include <cstdlib>
#include <string_view>

#include "policy/ceiling_load.h"
#include "policy/load.h"
#include "policy/profile.h"
#include "policy/sandbox_flags.h"
#include "policy/tighten.h"

namespace paddock {

inline void must(bool holds) {
  if (!holds) std::abort();
}

inline void read_hostile_policy(std::string_view bytes) {
  for (const OriginKind kind : {OriginKind::profile, OriginKind::user_config, OriginKind::repository_config}) {
    const auto file = read_policy(bytes, "FILE", kind, "/base");
    if (!file.ok()) must(file.failure().message.starts_with("FILE:"));
    if (!file.ok()) continue;
    for (const PathRule& rule : file->policy.filesystem.read) must(!rule.path.empty());
    for (const PatternRule& rule : file->policy.filesystem.mask) must(!rule.negated);
    for (const VariableRule& rule : file->policy.variables) must(is_variable_name(rule.name));
    must(merge(file->policy, Policy()) == file->policy);
    const Policy standing = built_in_policy();
    must(beyond(tighten(standing, file->policy).policy, standing).empty());
  }
}

// As the machine's ceiling: whatever it says, a policy can be brought under it, and only closes.
inline void read_hostile_ceiling(std::string_view bytes) {
  const auto ceiling = read_ceiling(bytes, "FILE", {{"calls_filtered"}, {"dies_whole"}});
  if (!ceiling.ok()) return must(ceiling.failure().message.starts_with("FILE:"));
  const Policy policy = built_in_policy();
  const Places places{"/home/u", "/home/u/p"};
  const UnderCeiling low = under(policy, *ceiling, places);
  must(breaches(low.policy, *ceiling, places).empty());
  must(beyond(low.policy, policy).empty());
}

inline void read_hostile_env_file(std::string_view bytes) {
  const auto variables = parse_env_file(bytes, "FILE");
  if (!variables.ok()) return must(variables.failure().message.starts_with("FILE:"));
  must(variables->size() <= env_file_variables_max);
  for (const VariableRule& rule : *variables) {
    must(is_variable_name(rule.name));
    must(!rule.value || rule.value->find_first_of(std::string_view("\n\0", 2)) == std::string::npos);
  }
}

}  // namespace paddock
