// Reading one policy file: a profile, settings of the user or for one project, a repository's file, the
// machine's ceiling. Pure: takes the text, gives
// the policy as it was said, every part with the line that said it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"
#include "policy/toml_document.h"

namespace paddock {

inline constexpr std::uint64_t probe_seconds_min = 1;
inline constexpr std::uint64_t probe_seconds_max = 30;

// [backends]: which are tried, in which order, and how. Not part of a policy.
struct BackendSettings {
  Sourced<std::vector<std::string>> order;      // names as written; known ones, each once
  Sourced<std::string> bubblewrap_program;      // absolute, "~/x", a command on PATH, or empty: the usual one
  Sourced<std::uint64_t> bubblewrap_probe_seconds;
  friend bool operator==(const BackendSettings&, const BackendSettings&) = default;
};

// A list that a file has, an empty one too: "filesystem.read".
struct StatedList {
  std::string key;
  Origin origin;
  friend bool operator==(const StatedList&, const StatedList&) = default;
};

struct PolicyFile {
  Policy policy;
  std::string description;         // profiles only
  Sourced<std::string> extends;    // profiles only: another profile's name
  Sourced<std::string> profile;    // settings and repository files: the profile used when no flag names one
  Sourced<bool> sandbox_enabled;   // the same: false runs without one
  BackendSettings backends;        // settings and ceiling
  std::vector<NamedRule> forbid;                // ceiling only: [ceiling]
  Sourced<std::vector<PathRule>> workspaces;    // ceiling only
  std::vector<StatedList> lists;                // ceiling only: where each list is said

  // Where that list is said; null when it is not.
  const Origin* list_origin(std::string_view key) const;
  friend bool operator==(const PolicyFile&, const PolicyFile&) = default;
};

enum class LineInOrigin { shown, hidden };

// Where a text comes from and how its parts are named.
struct PolicySource {
  std::string where;           // "~/.config/paddock/config.toml": errors begin with "WHERE:LINE"
  OriginKind kind = OriginKind::profile;
  std::string base_directory;  // absolute: relative read and write paths start there
  std::string name;            // of origins; empty: `where`
  LineInOrigin line = LineInOrigin::shown;
};

// Relative masks and protections stand for the workspace, relative grants for the base directory.
// Errors: usage for a profile and a flag's file (the command line names them), cannot_start for config
// files. One error holds every problem of the file, a line each. Guarantee names in `without` are
// left to check_given_up (value.h).
Result<PolicyFile> read_policy(const TomlInput& toml, const PolicySource& source);
Result<PolicyFile> read_policy(const TomlInput& toml, std::string_view where, OriginKind kind,
                               std::string_view base_directory);

}  // namespace paddock
