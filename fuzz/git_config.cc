// git configuration: any bytes are read or refused with a line, and nothing outside of the allowlist comes through.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "host/hostile_git_config.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  paddock::read_hostile_git_config(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
