#include "cli/harness_flags.h"

namespace paddock {

Result<void> check_harness_flags(const Context&, const Setup&, const Plan&) { return {}; }

}  // namespace paddock
