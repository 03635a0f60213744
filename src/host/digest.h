// A short name for what a cached thing was made from. FNV-1a, twice with different starts: no defence
// against somebody who wants two things to have the same name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/core.h>

namespace paddock {

class Digest {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) {
      a_ = (a_ ^ static_cast<unsigned char>(c)) * prime;
      b_ = (b_ ^ static_cast<unsigned char>(c)) * prime;
    }
    a_ = (a_ ^ 0xff) * prime;
    b_ = (b_ ^ 0xfe) * prime;
  }
  void add(std::uint64_t number) { add(std::string_view(reinterpret_cast<const char*>(&number), sizeof number)); }
  [[nodiscard]] std::string text() const { return fmt::format("{:016x}{:016x}", a_, b_); }

 private:
  static constexpr std::uint64_t prime = 1099511628211u;
  std::uint64_t a_ = 14695981039346656037u;
  std::uint64_t b_ = 1099511628211u * 3;
};

}  // namespace paddock
