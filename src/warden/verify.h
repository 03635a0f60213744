// Compares what is mounted with what the plan promised. Looks only; changes nothing.
#pragma once

#include "protocol/brief.h"
#include "protocol/frame.h"

namespace paddock::warden {

struct Difference {
  bool found = false;
  unsigned index = 0;  // of the check
  int number = 0;      // errno, or 0 when the path was there and differed
};

// Every check of the brief, in order, until one fails. Paths are walked without following any link
// (openat2, RESOLVE_NO_SYMLINKS), so a link anywhere in one is a difference.
Difference verify_mounts(const void* mapped, const protocol::Brief& brief);

// The first namespace that is the outside's although the brief asks for one of its own; `index` is that
// of protocol::namespace_paths.
Difference verify_namespaces(const protocol::Brief& brief);

// `none` when this process is pid 1 and has no capability in any set, bounding included.
protocol::Remainder remaining_privileges();

// True when this process's user is the one to whom the kernel gives what is its own, whatever number that
// has in here. Not for a user whose number is the overflow id (65534).
bool is_root_to_the_kernel();

}  // namespace paddock::warden
