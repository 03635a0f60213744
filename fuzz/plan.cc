// A stored plan: any bytes are read or refused, and what was read is written as it was read.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "plan/codec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace paddock;
  const auto plan = read_plan(std::string_view(reinterpret_cast<const char*>(bytes), size));
  if (!plan.ok()) return 0;
  const auto again = read_plan(write_plan(*plan));
  if (!again.ok() || !(*again == *plan) || plan->mounts.size() > mounts_max) std::abort();
  return 0;
}
