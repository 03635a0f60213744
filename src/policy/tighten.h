// Tightening: what a repository's file does to the policy of the person who works in it, while that person
// has not granted it. Pure.
#pragma once

#include <string>
#include <vector>

#include "policy/policy.h"

namespace paddock {

// Something that was asked for beyond what the other policy allows, and so was left out.
struct Ignored {
  std::string key;    // "network.mode", "filesystem.read"
  std::string asked;  // "on", "~/.ssh", "NAME=..."
  std::string kept;   // the value that stands instead; empty for an entry of a list
  Origin origin;      // who asked
  friend bool operator==(const Ignored&, const Ignored&) = default;
};

struct Tightened {
  Policy policy;
  std::vector<Ignored> ignored;  // in the order of the fields
};

// The greatest policy that is at most both, where `asked` may be partial: each of its words that opens no
// more than `standing`'s stands, and so do lower limits and whatever it closes (masks, protections, required
// guarantees). What opens something (grants, variables, guarantees given up, "!name" in `protect`) and is not
// already there, a wider word and a higher limit are ignored. Words beside each other (order.h) meet in the
// closed one, and are told of as ignored.
//   at_most(tighten(u, r).policy, u)                  it never widens
//   tighten(tighten(u, r), r) == tighten(u, r)        as policies
//   tighten(u, {}) == u, and nothing is ignored
Tightened tighten(Policy standing, const Policy& asked);

// The keys in which `a` opens something that `b` does not; empty when `a` is at most `b`. A scalar that `b`
// does not state allows everything, and one that `a` does not state opens everything.
std::vector<std::string> beyond(const Policy& a, const Policy& b);

}  // namespace paddock
