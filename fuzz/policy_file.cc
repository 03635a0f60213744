// Policy files: any bytes are read or refused with a line.
// clang++ -std=c++20 -g -fsanitize=fuzzer,address,undefined -iquote src -iquote build/check/generated
//   -DTOML_HEADER_ONLY=0 -DTOML_EXCEPTIONS=0 fuzz/policy_file.cc cmake/toml_implementation.cc (and the layer's sources)
// Corpus: fuzz/corpus/policy. The tests beside the reader replay it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "policy/hostile_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  paddock::read_hostile_policy(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
