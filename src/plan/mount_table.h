// Collects what is to be visible, writable, protected and hidden, from all sides and in any order,
// and puts it into the one order that gives every rule its precedence:
// the most specific path wins; at one path mask beats protection beats read-only beats writable;
// a mask by pattern beats every grant that does not name that exact path.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "plan/plan.h"

namespace paddock {

// Weakest first: at one path the strongest claim stands. A pin and a protection grant nothing: they hold
// what another claim shows, and below a mask they vanish.
enum class Strength { structure, pin, writable, read_only, protect, mask };

struct Claim {
  Mount mount;
  Strength strength = Strength::structure;
  bool by_pattern = false;  // came from a pattern, not from this exact path
  bool pin = false;         // kept even if it changes nothing: its target cannot be renamed then
  // Of what a bind shows: another owner than that of the tree above has other rights (SeenAs).
  std::uint32_t owner = 0;
  std::uint32_t group = 0;
};

// Component by component, so that a directory is followed at once by what lies beneath it.
struct PathOrder {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const;
};

class MountTable {
 public:
  void claim(Claim claim);

  // A bind of the host's `path` at the same path.
  void show(const std::string& path, const HostFile& file, MountAccess access, Strength strength, std::string reason, Origin origin);

  // The binds claimed so far are the system's: the payload sees them as everybody does.
  void see_as_others();

  // The strongest claim of the deepest target that holds `path`; null when nothing does.
  const Claim* at(const std::string& path) const;
  // Shown from the host at `path` (inside a bind, not only in an empty directory of ours).
  bool is_visible(const std::string& path) const;
  bool is_writable(const std::string& path) const;  // visible as above, and the host's own can be written

  // The claims that lie in something of the host's where nothing of theirs is to be mounted upon, and that
  // cannot be made there: taken out, their targets returned. For worlds whose root is the host's.
  std::vector<std::string> remove_unplaced(const HostView& host);

  // Takes out what would hold or hide something in a part of the host that the payload cannot reach: seen as
  // others see it, below a directory that lets no others through. Nothing can be mounted there, and nothing
  // is in view. For worlds whose root is the host's, started by real root.
  void remove_unreachable(const HostView& host);

  // In the order of application. Errors: more than `mounts_max`.
  Result<std::vector<Mount>> ordered() const;

 private:
  std::map<std::string, Claim, PathOrder> claims_;  // by target
};

}  // namespace paddock
