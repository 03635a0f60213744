// What must hold of the readers for any bytes at all; used by the fuzz targets and the replay tests.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "policy/ceiling_load.h"
#include "policy/load.h"
#include "policy/profile.h"
#include "policy/sandbox_flags.h"
#include "policy/tighten.h"

namespace paddock {

enum class Reading { accepted, refused };

// How a reader took a text (in one of the parts that it may play), and what was wrong with that: nothing
// when the fault is empty.
struct Judged {
  Reading reading = Reading::refused;
  std::string fault;
};

inline Judged read_hostile_policy(std::string_view bytes) {
  Judged judged;
  const auto must = [&](bool holds, const char* what) {
    if (!holds && judged.fault.empty()) judged.fault = what;
  };
  for (const OriginKind kind : {OriginKind::profile, OriginKind::user_config, OriginKind::repository_config}) {
    const auto file = read_policy(bytes, "FILE", kind, "/base");
    if (!file.ok()) {
      must(file.failure().message.starts_with("FILE:"), "an error without its place");
      continue;
    }
    judged.reading = Reading::accepted;
    for (const PathRule& rule : file->policy.filesystem.read) must(!rule.path.empty(), "an empty path");
    for (const PatternRule& rule : file->policy.filesystem.mask) must(!rule.negated, "a negated mask");
    for (const VariableRule& rule : file->policy.variables) must(is_variable_name(rule.name), "a name that is none");
    must(merge(file->policy, Policy()) == file->policy, "merging nothing changes it");
    const Policy standing = built_in_policy();
    must(beyond(tighten(standing, file->policy).policy, standing).empty(), "tightening widens");
  }
  return judged;
}

// As the machine's ceiling: whatever it says, a policy can be brought under it, and only closes.
inline Judged read_hostile_ceiling(std::string_view bytes) {
  const auto ceiling = read_ceiling(bytes, "FILE", {{"calls_filtered"}, {"dies_whole"}});
  if (!ceiling.ok()) return {Reading::refused, ceiling.failure().message.starts_with("FILE:") ? "" : "an error without its place"};
  const Policy policy = built_in_policy();
  const Places places{"/home/u", "/home/u/p"};
  const UnderCeiling low = under(policy, *ceiling, places);
  if (!breaches(low.policy, *ceiling, places).empty()) return {Reading::accepted, "what was brought under the ceiling breaches it"};
  return {Reading::accepted, beyond(low.policy, policy).empty() ? "" : "the ceiling widens"};
}

inline Judged read_hostile_env_file(std::string_view bytes) {
  Judged judged;
  const auto must = [&](bool holds, const char* what) {
    if (!holds && judged.fault.empty()) judged.fault = what;
  };
  const auto variables = parse_env_file(bytes, "FILE");
  if (!variables.ok()) {
    must(variables.failure().message.starts_with("FILE:"), "an error without its place");
    return judged;
  }
  judged.reading = Reading::accepted;
  must(variables->size() <= env_file_variables_max, "more variables than may be");
  for (const VariableRule& rule : *variables) {
    must(is_variable_name(rule.name), "a name that is none");
    must(!rule.value || rule.value->find_first_of(std::string_view("\n\0", 2)) == std::string::npos, "a value of two lines");
  }
  return judged;
}

// For the fuzz targets: a fault ends the program.
inline void require_no_fault(const Judged& judged) {
  if (judged.fault.empty()) return;
  std::fprintf(stderr, "%s\n", judged.fault.c_str());
  std::abort();
}

}  // namespace paddock
