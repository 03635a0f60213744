// One CSI sequence taken apart. Pure.
// Source: ECMA-48 §5.4: parameters 0x30-0x3f, intermediates 0x20-0x2f, final byte 0x40-0x7e.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace paddock::terminal {

inline constexpr std::size_t csi_parameters_max = 64;
inline constexpr int parameter_absent = -1;

struct CsiSequence {
  char prefix = 0;        // one of <=>? or 0
  char intermediate = 0;  // at most one; no sequence that passes has more
  char final_byte = 0;
  bool sub_parameters = false;          // a ':' stands in it (SGR only)
  std::string_view body;                // all that follows CSI, borrowed
  std::size_t count = 0;                // of parameters; 0 when there is none at all
  std::array<int, csi_parameters_max> parameters;  // the part before a ':'; absent: parameter_absent

  // Parameter `index`, or `initial` where it is absent.
  [[nodiscard]] int parameter(std::size_t index, int initial = 0) const {
    return index < count && parameters[index] != parameter_absent ? parameters[index] : initial;
  }
};

// Nothing if `body` is not well formed or beyond the limits.
std::optional<CsiSequence> parse_csi(std::string_view body);

}  // namespace paddock::terminal
