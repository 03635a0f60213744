// No sandbox: the command takes our place, with our descriptors, session and environment. Only ever
// chosen by name (--no-sandbox); not in the table that `auto` reads.
#pragma once

#include "backend/backend.h"

namespace paddock {

struct UnsandboxedRequest {
  std::vector<std::string> command;      // not empty
  std::string program;                   // absolute, found on the host
  std::vector<std::string> environment;  // the host's, as it is
};

Launch lower_unsandboxed(const UnsandboxedRequest& request);

}  // namespace paddock
