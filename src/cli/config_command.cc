#include <fmt/core.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/config_report.h"
#include "cli/messages.h"
#include "cli/setup.h"

namespace paddock {

Result<int> config_command(const Context& context, const Arguments& arguments) {
  if (!arguments.rest.empty()) return error(ErrorCode::usage, fmt::format("config takes no arguments: {}", visible(arguments.rest.front())), "paddock config --help");
  if (arguments.has("--json") && arguments.has("--path")) return error(ErrorCode::usage, "--json and --path exclude each other", "give one of them; --json has the paths too");
  const SandboxChoice choice = TRY(read_choice(context, arguments));
  const TierFiles files = TRY(read_tiers(context, choice));
  if (arguments.has("--path")) {
    for (const TierFile& file : files.files) print_out(fmt::format("{}\t{}\n", file.tier, visible(file.path)));
    return 0;
  }
  print_out(arguments.has("--json") ? config_as_json(files) : config_in_words(files));
  return 0;
}

}  // namespace paddock
