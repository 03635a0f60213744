// The clock. Only code at the edge asks it.
#pragma once

#include <time.h>

#include <cstdint>

namespace paddock {

// Milliseconds of a clock that never goes back and stands still while the machine sleeps.
inline std::uint64_t monotonic_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1000 + static_cast<std::uint64_t>(now.tv_nsec) / 1'000'000;
}

// Seconds and nanoseconds since 1970 by the clock that the kernel takes file times from (it lags by a tick,
// so that a file written after this moment never has an earlier time).
inline timespec wall_clock() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return now;
}

}  // namespace paddock
