#include <fmt/core.h>

#include "cli/command.h"
#include "cli/messages.h"
#include "plan/plan.h"

namespace paddock {

Result<int> version_command(const Context&, const Arguments& arguments) {
  if (arguments.has("--json")) {
    print_out(fmt::format("{{\"schema\":\"paddock.version/1\",\"version\":\"{}\",\"plan\":{}}}\n", PADDOCK_VERSION, plan_version));
  } else {
    print_out(fmt::format("paddock {}\n", PADDOCK_VERSION));
  }
  return 0;
}

}  // namespace paddock
