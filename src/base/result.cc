#include "base/result.h"

#include <cstring>

namespace paddock {

Error system_error(std::string_view doing, int number, ErrorCode code) {
  return error(code, std::string(doing) + ": " + std::strerror(number));
}

}  // namespace paddock
