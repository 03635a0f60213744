// The two files that tell the warden what to do, as it reads them: whatever the bytes are, the reader
// refuses them or stays inside.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "protocol/brief.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace paddock::protocol;
  // Mapped files start on a page; here eight bytes are enough.
  std::vector<std::uint64_t> aligned(size / 8 + 1);
  if (size > 0) std::memcpy(aligned.data(), bytes, size);
  std::size_t read = 0;
  if (const Brief* brief = open_brief(aligned.data(), size)) {
    for (U32 i = 0; i < brief->checks.count; ++i) read += std::strlen(text(aligned.data(), table<Check>(aligned.data(), brief->checks)[i].path));
  }
  if (const Command* command = open_command(aligned.data(), size)) {
    const U64* argv = table<U64>(aligned.data(), command->argv);
    for (U32 i = 0; i + 1 < command->argv.count; ++i) read += std::strlen(reinterpret_cast<const char*>(aligned.data()) + argv[i]);
  }
  return read > size * 64 ? 1 : 0;
}
