// A harness's own file before and after a run, both written by the payload: the changed keys are found, in bounds,
// and a text compared with itself has none. The two are separated by a NUL byte.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/json_keys.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace paddock;
  const std::string_view both(reinterpret_cast<const char*>(bytes), size);
  const std::size_t middle = std::min(both.find('\0'), size);
  const std::string before(both.substr(0, middle)), after(both.substr(std::min(middle + 1, size)));
  const std::vector<std::string> keys = {"mcpServers", "projects.*.mcpServers", "a.*.*", "*", "env"};
  if (changed_keys(before, after, keys).size() > changed_keys_max) std::abort();
  if (!changed_keys(before, before, keys).empty() || !changed_keys(after, after, keys).empty()) std::abort();
  // Putting back is done in one go: a second time finds nothing, whichever keys are named.
  for (const std::string& key : keys) {
    const PutBack restored = put_back(before, after, {key});
    if (restored.names.empty() && restored.text != after) std::abort();
    if (!put_back(before, restored.text, {key}).names.empty()) std::abort();
    if (is_json_object(after) && !is_json_object(restored.text)) std::abort();
  }
  return 0;
}
