#include "base/result.h"

#include <cstring>

namespace paddock {

Error error(ErrorCode code, std::string message, std::string hint) { return Error{code, std::move(message), std::move(hint), {}}; }

Error handed_on(Error&& failure) { return std::move(failure); }

Error system_error(std::string_view doing, int number, ErrorCode code) {
  return error(code, std::string(doing) + ": " + std::strerror(number));
}

}  // namespace paddock
