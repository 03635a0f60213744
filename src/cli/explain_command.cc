#include "cli/command.h"

namespace paddock {

Result<int> explain_command(const Context&, const Arguments&) { return 0; }

}  // namespace paddock
