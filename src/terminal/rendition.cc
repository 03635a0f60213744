#include "terminal/rendition.h"

#include <array>

#include "terminal/payload_modes.h"

namespace paddock::terminal {
namespace {

struct Attribute {
  std::uint16_t sets = 0;
  std::uint16_t clears = 0;
};

constexpr void fill(std::array<Attribute, 108>& table, int first, int last, Attribute attribute) {
  for (int n = first; n <= last; ++n) table[static_cast<std::size_t>(n)] = attribute;
}

constexpr auto attributes = [] {
  std::array<Attribute, 108> table{};
  fill(table, 0, 0, {0, 0xffff});
  fill(table, 1, 2, {rendition_weight, 0});
  fill(table, 3, 3, {rendition_italic, 0});
  fill(table, 4, 4, {rendition_underline, 0});
  fill(table, 5, 6, {rendition_blink, 0});
  fill(table, 7, 7, {rendition_inverse, 0});
  fill(table, 8, 8, {rendition_conceal, 0});
  fill(table, 9, 9, {rendition_strike, 0});
  fill(table, 10, 10, {0, rendition_font});
  fill(table, 11, 19, {rendition_font, 0});
  fill(table, 20, 20, {rendition_italic, 0});
  fill(table, 21, 21, {rendition_underline | rendition_weight, 0});  // double underline, or not bold
  fill(table, 22, 22, {0, rendition_weight});
  fill(table, 23, 23, {0, rendition_italic});
  fill(table, 24, 24, {0, rendition_underline});
  fill(table, 25, 25, {0, rendition_blink});
  fill(table, 27, 27, {0, rendition_inverse});
  fill(table, 28, 28, {0, rendition_conceal});
  fill(table, 29, 29, {0, rendition_strike});
  fill(table, 30, 38, {rendition_foreground, 0});
  fill(table, 39, 39, {0, rendition_foreground});
  fill(table, 40, 48, {rendition_background, 0});
  fill(table, 49, 49, {0, rendition_background});
  fill(table, 51, 52, {rendition_frame, 0});
  fill(table, 53, 53, {rendition_overline, 0});
  fill(table, 54, 54, {0, rendition_frame});
  fill(table, 55, 55, {0, rendition_overline});
  fill(table, 58, 58, {rendition_underline_colour, 0});
  fill(table, 59, 59, {0, rendition_underline_colour});
  fill(table, 60, 64, {rendition_frame, 0});
  fill(table, 65, 65, {0, rendition_frame});
  fill(table, 73, 74, {rendition_script, 0});
  fill(table, 75, 75, {0, rendition_script});
  fill(table, 90, 97, {rendition_foreground, 0});
  fill(table, 100, 107, {rendition_background, 0});
  return table;
}();

// The parameters that follow 38, 48 or 58 and belong to the colour: "5;n" or "2;r;g;b".
std::size_t colour_length(const CsiSequence& sequence, std::size_t at) {
  const int form = sequence.parameter(at + 1);
  return form == 5 ? 2 : form == 2 ? 4 : 0;
}

}  // namespace

std::uint16_t rendition_after(std::uint16_t set, const CsiSequence& sequence) {
  if (sequence.count == 0) return 0;
  for (std::size_t i = 0; i < sequence.count; ++i) {
    const int number = sequence.parameter(i);
    if (number >= static_cast<int>(attributes.size())) continue;
    const Attribute& attribute = attributes[static_cast<std::size_t>(number)];
    set = static_cast<std::uint16_t>((set & ~attribute.clears) | attribute.sets);
    // With ':' the colour is inside one parameter ("4:0" then counts as an underline, undone again).
    const bool colour = number == 38 || number == 48 || number == 58;
    if (colour && !sequence.sub_parameters) i += colour_length(sequence, i);
  }
  return set;
}

}  // namespace paddock::terminal
