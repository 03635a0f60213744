// Runs the command of a plan in its sandbox with nothing on standard input, and keeps what it says. For
// questions to a program; a run of the user's is run.h.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

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
  // Values of variables that the plan takes from the host and from what was given; without, only literals are set.
  std::map<std::string, std::string> host_environment{};
  std::map<std::string, std::string> given{};
};

struct Captured {
  std::string text;          // both outputs in the order of arrival, at most captured_bytes_max: the rest is dropped
  bool too_slow = false;     // it had not ended in time, and was ended; `text` is what it had said
  int exit_code = 0;         // 128+n for signal n; of one that was not too slow
};

// What the plan needs on the host is there already: nothing is created. Errors: it could not be started; not_found
// when the program or its interpreter is not inside.
Result<Captured> capture(const CaptureRequest& request);

inline constexpr std::size_t together_max = 16;

// Several beside each other, at most together_max at one time; the answers in the order of the requests.
std::vector<Result<Captured>> capture_together(std::span<const CaptureRequest> requests);

}  // namespace paddock
