#include <fmt/core.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/messages.h"
#include "cli/setup.h"
#include "harness/catalogue.h"

namespace paddock {

Result<int> harness_command(const Context& context, const Arguments& arguments) {
  if (arguments.rest.size() != 1 || arguments.rest[0] != "list") return error(ErrorCode::usage, "harness needs: list", "paddock harness list");
  for (const ListedHarness& listed : list_harnesses(manifest_reader(context))) {
    const std::string what = listed.manifest ? visible(listed.manifest->display) : "cannot be read: " + listed.manifest.failure().message;
    print_out(fmt::format("{:<12} {}\n", listed.id, what));
  }
  return 0;
}

}  // namespace paddock
