// Files of --env-file: any bytes are read or refused with a line.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "policy/hostile_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  paddock::require_no_fault(paddock::read_hostile_env_file(std::string_view(reinterpret_cast<const char*>(data), size)));
  return 0;
}
