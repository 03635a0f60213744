// What is stored of a wrapped command: any bytes are read or refused, and what was read is written as it was read.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "wrap/wrapped.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace paddock;
  const auto wrapped = read_wrapped(std::string_view(reinterpret_cast<const char*>(bytes), size));
  if (!wrapped.ok()) return 0;
  const auto again = read_wrapped(write_wrapped(*wrapped));
  if (!again.ok() || !(*again == *wrapped)) std::abort();
  return 0;
}
