// The first bytes of a program that is to be run: a "#!" line is understood as the kernel understands it, or not at all.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/program_format.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace paddock;
  const std::string_view start(reinterpret_cast<const char*>(bytes), size);
  const ProgramFormat format = parse_script_line(start);
  if (format.kind == ProgramKind::script && !start.starts_with("#!")) std::abort();
  if (format.interpreter.find_first_of(std::string_view(" \t\n\0", 4)) != std::string::npos) std::abort();
  if (format.argument.find('\n') != std::string::npos) std::abort();
  // Without -S it is one word to env; with it, the name is one of several.
  for (const std::string_view argument : {std::string_view(format.argument), start}) {
    const std::string program = program_of_env(argument);
    if (program != argument && program.find(' ') != std::string::npos) std::abort();
  }
  return 0;
}
