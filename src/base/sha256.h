// SHA-256 (FIPS 180-4), for names that nobody can make collide: stored plans, granted files, shipped programs.
#pragma once

#include <string>
#include <string_view>

namespace paddock {

// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace paddock
