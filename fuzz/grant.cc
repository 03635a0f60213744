// The file of one grant: any bytes are read or refused, and what was read is written as it was read.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "cli/grants.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace paddock;
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  const auto grant = read_grant(text, "FILE");
  if (!grant.ok() && !grant.failure().message.starts_with("FILE ")) std::abort();
  if (grant.ok() && write_grant(*grant) != text) std::abort();
  return 0;
}
