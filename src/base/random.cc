#include "base/random.h"

#include <sys/random.h>

#include <cerrno>

namespace paddock {

Result<std::string> random_hex(std::size_t bytes) {
  unsigned char buffer[256];
  // Whole or not at all up to 256 bytes: getrandom(2).
  if (bytes > sizeof buffer || ::getrandom(buffer, bytes, 0) != static_cast<ssize_t>(bytes)) return system_error("no randomness", errno);
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) (text += digits[buffer[i] >> 4]) += digits[buffer[i] & 15];
  return text;
}

}  // namespace paddock
