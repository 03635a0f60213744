#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include <fmt/core.h>

#include "backend/shipped.h"
#include "base/sha256.h"
#include "base/text.h"

namespace paddock {

CheckedContent check_content(const std::string& path, std::string_view sha256) {
  CheckedContent checked;
  // Not blocking: a pipe in its place has nobody at the other end.
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat before {};
  struct stat after {};
  if (!file.valid() || ::fstat(file.get(), &before) != 0) {
    checked.refusal = fmt::format("{} cannot be read: {}", visible(path), std::strerror(errno));
    return checked;
  }
  checked.identity = identity_of(before);
  checked.change = change_of(before);
  if (!S_ISREG(before.st_mode)) {
    checked.refusal = visible(path) + " is not a file";
    return checked;
  }
  const Result<std::string> bytes = read_all(file.get(), shipped_bytes_max);
  const bool is_shipped = bytes.ok() && ::fstat(file.get(), &after) == 0 && change_of(after) == checked.change && sha256_hex(*bytes) == sha256;
  if (!is_shipped) checked.refusal = visible(path) + " is not the program that was shipped: its checksum differs";
  return checked;
}

}  // namespace paddock
