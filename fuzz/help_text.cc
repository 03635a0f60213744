// The help text of an installed program, which may print anything: flags are found as whole words or missed.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "harness/help.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace paddock;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const HelpCheck check{{"--help"}, {"--yolo", "-c", "--dangerously-skip-permissions"}};
  for (const std::string& flag : missing_flags(check, text)) {
    // A text that is only this flag would have had it.
    if (text == flag) std::abort();
  }
  return 0;
}
