// The mounts of a plan, sorted by what they are for a person.
#pragma once

#include "plan/explain_page.h"

namespace paddock {

void explain_mounts(Page& page, const Plan& plan);

}  // namespace paddock
