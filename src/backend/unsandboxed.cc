#include "backend/unsandboxed.h"

namespace paddock {

Launch lower_unsandboxed(const UnsandboxedRequest& request) {
  Launch launch;
  launch.kind = LaunchKind::replace;
  launch.program = request.program;
  launch.argv = request.command;
  launch.environment = request.environment;
  return launch;
}

}  // namespace paddock
