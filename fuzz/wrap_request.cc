// What another program writes to `paddock wrap`: any bytes are read or refused, and what is read is within its bounds.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/path.h"
#include "wrap/request.h"

namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

void expect_path(const std::string& path) { expect(paddock::path::is_absolute(path) && paddock::path::normal(path) == path && path.find('\0') == std::string::npos); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace paddock;
  const auto request = read_wrap_request(std::string_view(reinterpret_cast<const char*>(bytes), size));
  if (!request.ok()) {
    expect(request.failure().code == ErrorCode::usage && !request.failure().message.empty());
    return 0;
  }
  expect(!request->command.empty() && !request->command.front().empty() && request->command.size() <= wrap_words_max);
  for (const std::string& word : request->command) expect(word.find('\0') == std::string::npos && word.size() <= wrap_word_bytes_max);
  expect_path(request->cwd);
  expect_path(request->workspace_root);
  for (const std::string& root : request->writable_roots) expect_path(root);
  for (const std::string& mask : request->mask_paths) expect_path(mask);
  for (const auto& [name, value] : request->environment) expect(!name.empty() && name.find('=') == std::string::npos && (name + value).find('\0') == std::string::npos);
  return 0;
}
