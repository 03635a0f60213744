// A command line: words separated by NUL bytes. It is taken apart or refused with a usage error that names something,
// and the words of the command come through as they are.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "cli/arguments.h"

namespace {

constexpr std::size_t words_max = 256;

void must(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace paddock;
  std::vector<std::string> words = split(std::string_view(reinterpret_cast<const char*>(bytes), size), '\0');
  if (words.size() > words_max) words.resize(words_max);
  static constexpr OptionRow own[] = {{"--json", {}, FlagValue::none, {}, "json"}, {"--out", "-o", FlagValue::required, "FILE", "out"}};
  const auto arguments = parse_arguments(words, own, true, Rest::command);
  if (!arguments.ok()) {
    must(arguments.failure().code == ErrorCode::usage && !arguments.failure().message.empty());
    return 0;
  }
  must(arguments->rest.size() <= words.size());
  for (std::size_t i = 0; i < arguments->rest.size(); ++i) must(arguments->rest[i] == words[words.size() - arguments->rest.size() + i]);
  SandboxFlagContext context;
  context.directory = "/base";
  context.check_profile = [](std::string_view) -> Result<void> { return {}; };
  const auto choice = read_sandbox_flags(arguments->sandbox, context);
  if (!choice.ok()) must(choice.failure().code == ErrorCode::usage && !choice.failure().message.empty());
  return 0;
}
