#include "base/sha256.h"

#include <sys/types.h>

#include <sha2.h>

#include <cstdint>

namespace paddock {

std::string sha256_hex(std::string_view bytes) {
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  std::uint8_t digest[SHA256_DIGEST_LENGTH];
  SHA256Final(digest, &context);
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest) (text += digits[byte >> 4]) += digits[byte & 15];
  return text;
}

}  // namespace paddock
