// The machine's ceiling: what nobody on this machine exceeds, whoever asks: profiles, the user's and the
// project's settings, a granted repository file, flags, harness manifests, requests of other programs.
// Pure: the file is read by ceiling_load.h from a text that the caller has found trustworthy.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/load.h"
#include "policy/policy.h"

namespace paddock {

// Absolute directories that relative rules and "~" stand for. `workspace` may be empty where it is not
// known: rules relative to it then cover nothing.
struct Places {
  std::string home;
  std::string workspace;
};

struct Ceiling {
  // Stated words and limits: at most that much (order.h). Masks, protections and required guarantees:
  // added to every policy. The lists of grants, variables and given-up guarantees are empty here:
  Policy most;
  Sourced<std::vector<PathRule>> read;         // stated: a path that is granted lies in one of these, or of `write`
  Sourced<std::vector<PathRule>> write;        // stated: one that is granted writable lies in one of these
  Sourced<std::vector<std::string>> variables; // stated: only these may be passed or set by name
  Sourced<std::vector<std::string>> without;   // stated: only these guarantees may be given up
  Sourced<std::vector<PathRule>> workspaces;   // stated: a workspace lies in one of these
  std::vector<NamedRule> forbid;               // relaxations that stop a start, by name or pattern: "grant_*"
  BackendSettings backends;                    // `order`: no others; `program`: this one
};

// One thing that a policy asks beyond the ceiling.
struct Breach {
  std::string key;      // "network.mode", "filesystem.write", "isolation.without"; of a relaxation: its name
  std::string asked;    // "on", "~/out", "FOO=..." (never a variable's value)
  std::string allowed;  // "off", "nothing", "/srv, /data": never empty
  Origin origin;        // who asked
  Origin ceiling;       // who forbids
  friend bool operator==(const Breach&, const Breach&) = default;
};

struct UnderCeiling {
  Policy policy;                 // never beyond the ceiling; says nothing that the given one did not allow
  std::vector<Breach> breaches;  // what was lowered or left out, in the order of the fields
};

// The policy brought under the ceiling. Words are lowered, limits set (one that nobody stated too, which is
// no breach), entries that are not allowed left out, and the ceiling's masks, protections and requirements
// added. Lexical: paths are judged as they are written; what they lead to is judged again when the plan is
// made (plan/ceiling_check.h).
//
// A breach whose origin is a flag, or a request of this moment, is an error (cannot_start: the caller was
// told to do something and may not do less in silence); of a file or profile it is told in a line.
UnderCeiling under(Policy policy, const Ceiling& ceiling, const Places& places);
std::vector<Breach> breaches(const Policy& policy, const Ceiling& ceiling, const Places& places);

// The rule that forbids this relaxation, "no_sandbox" included; null when it may be.
const NamedRule* forbidding(const Ceiling& ceiling, std::string_view relaxation);

// The rule that covers `path` (absolute) or something above it; null when none does. Negated ones are
// passed over; a pattern that begins with "**/" covers at any depth.
const PatternRule* covering(const std::vector<PatternRule>& rules, std::string_view path, const Places& places);
// The same for plain paths: `path` is one of `rules` or lies below one.
const PathRule* covering(const std::vector<PathRule>& rules, std::string_view path, const Places& places);

// "network.mode: on (asked by --net) is beyond the machine's ceiling: at most off (/etc/...:3)".
std::string in_words(const Breach& breach);

}  // namespace paddock
