#include "terminal/csi_sequence.h"

namespace paddock::terminal {
namespace {

bool is_between(char c, char least, char most) { return c >= least && c <= most; }

// The parameters in `text`; false if a byte is out of place or there are too many.
bool parse_parameters(std::string_view text, CsiSequence& sequence) {
  if (text.empty()) return true;
  bool sub = false;
  sequence.parameters[0] = parameter_absent;
  sequence.count = 1;
  for (const char c : text) {
    int& number = sequence.parameters[sequence.count - 1];
    if (is_between(c, '0', '9')) {
      if (!sub) number = (number == parameter_absent ? 0 : number * 10) + (c - '0');
    } else if (c == ':') {
      sub = sequence.sub_parameters = true;
    } else if (c == ';' && sequence.count < csi_parameters_max) {
      sequence.parameters[sequence.count++] = parameter_absent;
      sub = false;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

// Numbers do not overflow: the parser keeps csi_digits_max digits of each.
std::optional<CsiSequence> parse_csi(std::string_view body) {
  CsiSequence sequence;
  if (body.empty()) return std::nullopt;
  sequence.body = body;
  sequence.final_byte = body.back();
  body.remove_suffix(1);
  if (!body.empty() && is_between(body.front(), '<', '?')) {
    sequence.prefix = body.front();
    body.remove_prefix(1);
  }
  if (!body.empty() && is_between(body.back(), ' ', '/')) {
    sequence.intermediate = body.back();
    body.remove_suffix(1);
  }
  if (!parse_parameters(body, sequence)) return std::nullopt;
  return sequence;
}

}  // namespace paddock::terminal
