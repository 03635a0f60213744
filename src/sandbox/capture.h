// Runs the command of a plan in its sandbox with nothing on standard input, and keeps what it says. For
// questions to a program; a run of the user's is run.h.
#pragma once

#include <string>

#include "backend/backend.h"
#include "base/result.h"
#include "plan/plan.h"

namespace paddock {

inline constexpr std::size_t captured_bytes_max = std::size_t{1} << 20;

struct CaptureRequest {
  const Plan* plan = nullptr;
  const Backend* backend = nullptr;
  const ProbeReport* probe = nullptr;
  std::string warden;
  std::string state_directory;
  unsigned timeout_ms = 20'000;  // from the start to the end of the command
};

struct Captured {
  std::string text;          // both outputs in the order of arrival, at most captured_bytes_max: the rest is dropped
  bool too_slow = false;     // it had not ended in time, and was ended; `text` is what it had said
  int exit_code = 0;         // 128+n for signal n; of one that was not too slow
};

// The plan creates nothing on the host, and its environment holds literals only. Errors: it could not be
// started.
Result<Captured> capture(const CaptureRequest& request);

}  // namespace paddock
