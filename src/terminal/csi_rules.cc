#include "terminal/csi_rules.h"

#include <array>

namespace paddock::terminal {
namespace {

struct Rule {
  char prefix;
  char intermediate;
  std::string_view final_bytes;
  CsiAction action;
};

constexpr std::array rules{
    Rule{0, 0, "@ABCDEFGHIJKLMPSXZ`abdef", CsiAction::pass},
    Rule{0, 0, "s", CsiAction::save_cursor},
    Rule{0, 0, "u", CsiAction::restore_cursor},
    Rule{0, 0, "T", CsiAction::scroll_down},
    Rule{0, 0, "c", CsiAction::device_attributes},
    Rule{0, 0, "g", CsiAction::tab_stops},
    Rule{0, 0, "h", CsiAction::set_mode},
    Rule{0, 0, "l", CsiAction::reset_mode},
    Rule{0, 0, "m", CsiAction::rendition},
    Rule{0, 0, "n", CsiAction::status_report},
    Rule{0, 0, "r", CsiAction::scroll_region},
    Rule{0, 0, "t", CsiAction::window},
    Rule{'?', 0, "h", CsiAction::set_mode},
    Rule{'?', 0, "l", CsiAction::reset_mode},
    Rule{'?', 0, "JKW", CsiAction::pass},             // selective erase, default tab stops
    Rule{'?', 0, "n", CsiAction::dec_status_report},
    Rule{'?', 0, "u", CsiAction::query},              // kitty keyboard flags
    Rule{'?', 0, "m", CsiAction::query},              // XTQMODKEYS
    Rule{'?', '$', "p", CsiAction::query},            // DECRQM
    Rule{0, '$', "p", CsiAction::query},              // DECRQM for ANSI modes
    Rule{'>', 0, "c", CsiAction::device_attributes},  // DA2
    Rule{'=', 0, "c", CsiAction::device_attributes},  // DA3
    Rule{'>', 0, "q", CsiAction::query},              // XTVERSION
    Rule{'>', 0, "m", CsiAction::modify_keys},
    Rule{'>', 0, "u", CsiAction::keyboard_push},
    Rule{'<', 0, "u", CsiAction::keyboard_pop},
    Rule{'=', 0, "u", CsiAction::keyboard_set},
    Rule{0, '!', "p", CsiAction::pass},               // DECSTR: what it resets is undone again, harmlessly
    Rule{0, ' ', "q", CsiAction::cursor_style},
    Rule{0, ' ', "@A", CsiAction::pass},              // SL, SR
    Rule{0, '"', "q", CsiAction::pass},               // DECSCA
    Rule{0, '#', "pq{}", CsiAction::pass},            // push and pop of SGR
    Rule{0, '$', "rtvxz{", CsiAction::pass},          // rectangles
    Rule{0, '*', "x", CsiAction::pass},               // DECSACE
    Rule{0, '\'', "}~", CsiAction::pass},             // insert and delete columns
};

constexpr CsiAction search(char prefix, char intermediate, char final_byte) {
  for (const Rule& rule : rules) {
    if (rule.prefix != prefix || rule.intermediate != intermediate) continue;
    if (rule.final_bytes.find(final_byte) != std::string_view::npos) return rule.action;
  }
  return CsiAction::drop;
}

// Most sequences have neither prefix nor intermediate.
constexpr auto plain_actions = [] {
  std::array<CsiAction, 128> actions{};
  for (int c = 0x40; c < 0x7f; ++c) actions[static_cast<std::size_t>(c)] = search(0, 0, static_cast<char>(c));
  return actions;
}();

}  // namespace

CsiAction action_of(const CsiSequence& sequence) {
  if (sequence.prefix == 0 && sequence.intermediate == 0) {
    return plain_actions[static_cast<unsigned char>(sequence.final_byte) & 0x7f];
  }
  return search(sequence.prefix, sequence.intermediate, sequence.final_byte);
}

}  // namespace paddock::terminal
