// The second wall: a Landlock ruleset for the payload, made from the brief's grants.
#pragma once

#include "protocol/brief.h"

namespace paddock::warden {

struct Landlock {
  int ruleset = -1;  // -1: nothing to restrict
  int abi = 0;       // 0: this kernel has none
  int number = 0;    // errno of a failure
};

// Opens the ruleset; the payload's step applies it. A grant whose path is absent is an error.
// Rights by ABI: https://docs.kernel.org/userspace-api/landlock.html
Landlock make_landlock(const void* mapped, const protocol::Brief& brief);

}  // namespace paddock::warden
