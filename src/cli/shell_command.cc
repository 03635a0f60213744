#include <fmt/core.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/start_plan.h"

namespace paddock {

Result<int> shell_command(const Context& context, const Arguments& arguments) {
  if (!arguments.rest.empty()) {
    return error(ErrorCode::usage, fmt::format("shell takes no arguments: {}", visible(arguments.rest.front())), "for a command: paddock run -- COMMAND");
  }
  const std::string shell = context.host->user().shell;
  return start_plan(context, TRY(prepare(context, arguments, {shell.empty() ? "/bin/sh" : shell})));
}

}  // namespace paddock
