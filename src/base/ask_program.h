// Asks a program of the host's one question: nothing on its standard input, both outputs read, a limit on
// time and text. For what is asked outside a sandbox; an agent's own program is asked in sandbox/capture.h.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace paddock {

struct AskRequest {
  std::string program;  // absolute
  std::vector<std::string> arguments;
  std::vector<std::string> environment;  // exactly this
  unsigned timeout_ms = 2000;
  std::size_t bytes_max = 65536;  // what is said beyond is read and dropped
};

struct Asked {
  std::string said;
  int status = 0;  // of wait(2)
};

// From the main thread. Errors: it cannot be started; it has not ended in time, and it and its process group
// were killed.
Result<Asked> ask_program(const AskRequest& request);

}  // namespace paddock
