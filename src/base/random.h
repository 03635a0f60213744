// Randomness from the kernel.
#pragma once

#include <string>

#include "base/result.h"

namespace paddock {

// That many bytes (at most 256) as lower-case hexadecimal digits, fit for secrets.
Result<std::string> random_hex(std::size_t bytes);

}  // namespace paddock
