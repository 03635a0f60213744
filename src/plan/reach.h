// What a plan lets the payload reach of one path of the host's.
#pragma once

#include <string>

#include "plan/plan.h"

namespace paddock {

// The payload could put something else there: the path lies in something of the host's that is shown writable,
// and the user may change it or a directory above it (real root always may).
bool can_be_replaced(const Plan& plan, const HostView& host, const std::string& path);
// It lies in something of the host's that is shown at all.
bool is_visible_inside(const Plan& plan, const std::string& path);

}  // namespace paddock
