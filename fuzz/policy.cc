// Policy files: any bytes are read or refused with a line.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "policy/hostile_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  paddock::require_no_fault(paddock::read_hostile_policy(bytes));
  paddock::require_no_fault(paddock::read_hostile_ceiling(bytes));
  return 0;
}
