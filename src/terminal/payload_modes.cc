#include "terminal/payload_modes.h"

#include <fmt/core.h>

namespace paddock::terminal {
namespace {

constexpr std::size_t origin_mode = *mode_index(ModeSpace::dec, 6);
constexpr std::string_view string_terminator = "\x1b\\";

std::string mode_sequence(const Mode& mode, ModeState state) {
  return fmt::format("\x1b[{}{}{}", mode.space == ModeSpace::dec ? "?" : "", mode.number,
                     state == ModeState::on ? 'h' : 'l');
}

ModeState other(ModeState state) { return state == ModeState::on ? ModeState::off : ModeState::on; }

std::string undo_keyboard(const KeyboardStack& keyboard) {
  std::string out;
  if (keyboard.depth > 0) out += fmt::format("\x1b[<{}u", keyboard.depth);
  if (keyboard.base != 0) out += "\x1b[=0;1u";
  return out;
}

std::string redo_keyboard(const KeyboardStack& keyboard) {
  std::string out;
  if (keyboard.base != 0) out += fmt::format("\x1b[={};1u", keyboard.base);
  for (std::size_t i = 0; i < keyboard.depth; ++i) out += fmt::format("\x1b[>{}u", keyboard.flags[i]);
  return out;
}

std::string undo_modes(const PayloadModes& payload) {
  std::string out;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if ((payload.changed >> i & 1) != 0) out += mode_sequence(modes[i], modes[i].initial);
  }
  // Resetting the origin mode moves the cursor to the top, over what is on the screen.
  if ((payload.changed >> origin_mode & 1) != 0) out += "\x1b[9999H";
  return out;
}

std::string undo_charsets(const PayloadModes& payload) {
  std::string out;
  for (int g = 0; g < 4; ++g) {
    if ((payload.charsets >> g & 1) != 0) out += fmt::format("\x1b{}B", "()*+"[g]);
  }
  if (payload.shifted) out += '\x0f';
  return out;
}

// Colours, links and titles: control strings.
std::string undo_strings(const PayloadModes& payload) {
  std::string out;
  if (payload.hyperlink) out += fmt::format("\x1b]8;;{}", string_terminator);
  if (payload.palette) out += fmt::format("\x1b]104{}", string_terminator);
  for (int n = 0; n < 10; ++n) {
    if ((payload.colours >> n & 1) != 0) out += fmt::format("\x1b]{}{}", 110 + n, string_terminator);
  }
  if (payload.progress) out += fmt::format("\x1b]9;4;0{}", string_terminator);
  for (int n = 0; n < payload.titles_pushed + (payload.title ? 1 : 0); ++n) out += "\x1b[23;0t";
  return out;
}

}  // namespace

KeyboardStack& keyboard_of_screen(PayloadModes& payload) {
  return payload.alternate_screen == 0 ? payload.main_keyboard : payload.alternate_keyboard;
}

void note_mode(PayloadModes& payload, std::size_t index, ModeState state) {
  const std::uint32_t bit = std::uint32_t{1} << index;
  if (state == modes[index].initial) {
    payload.changed &= ~bit;
  } else {
    payload.changed |= bit;
  }
}

void note_alternate_screen(PayloadModes& payload, int mode, ModeState state) {
  payload.alternate_screen = state == ModeState::on ? mode : 0;
  if (mode != 1049) return;
  if (state == ModeState::on) note_cursor_saved(payload);
  if (state == ModeState::off) note_cursor_restored(payload);
}

void note_cursor_saved(PayloadModes& payload) {
  payload.saved.changed |= payload.changed & (std::uint32_t{1} << origin_mode);
  payload.saved.rendition |= payload.rendition;
  payload.saved.charsets |= payload.charsets;
  payload.saved.shifted |= payload.shifted;
}

void note_cursor_restored(PayloadModes& payload) {
  payload.changed |= payload.saved.changed;
  payload.rendition |= payload.saved.rendition;
  payload.charsets |= payload.saved.charsets;
  payload.shifted |= payload.saved.shifted;
}

bool reports_are_on(const PayloadModes& payload) {
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (modes[i].reports == ModeReports::yes && (payload.changed >> i & 1) != 0) return true;
  }
  return false;
}

// The alternate screen is left early: 1049 brings back the rendition, the character sets and the origin
// mode that were saved on the way in, which are undone after it.
std::string undo_sequence(const PayloadModes& changed) {
  PayloadModes payload = changed;
  std::string out;
  if (payload.alternate_screen != 0) {
    out += undo_keyboard(payload.alternate_keyboard);
    out += fmt::format("\x1b[?{}l", payload.alternate_screen);
    note_alternate_screen(payload, payload.alternate_screen, ModeState::off);
  }
  out += undo_keyboard(payload.main_keyboard);
  out += undo_modes(payload);
  if (payload.application_keypad) out += "\x1b>";
  if (payload.modify_other_keys != 0) out += "\x1b[>4m";
  out += undo_charsets(payload);
  if (payload.rendition != 0) out += "\x1b[m";
  // DECSTBM moves the cursor, so it is saved and restored around it.
  if (payload.scroll_region) out += "\x1b" "7\x1b[r\x1b" "8";
  if (payload.cursor_style != 0) out += "\x1b[0 q";
  if (payload.tab_stops) out += "\x1b[?5W";
  return out + undo_strings(payload);
}

std::string redo_sequence(const PayloadModes& payload) {
  std::string out = redo_keyboard(payload.main_keyboard);
  if (payload.alternate_screen != 0) {
    out += fmt::format("\x1b[?{}h", payload.alternate_screen);
    out += redo_keyboard(payload.alternate_keyboard);
  }
  for (std::size_t i = modes.size(); i-- > 0;) {
    if ((payload.changed >> i & 1) != 0) out += mode_sequence(modes[i], other(modes[i].initial));
  }
  if (payload.application_keypad) out += "\x1b=";
  if (payload.modify_other_keys != 0) out += fmt::format("\x1b[>4;{}m", payload.modify_other_keys);
  if (payload.cursor_style > 0) out += fmt::format("\x1b[{} q", payload.cursor_style);
  return out;
}

PayloadModes redone(const PayloadModes& payload) {
  PayloadModes kept;
  kept.changed = payload.changed;
  kept.alternate_screen = payload.alternate_screen;
  kept.main_keyboard = payload.main_keyboard;
  if (payload.alternate_screen != 0) kept.alternate_keyboard = payload.alternate_keyboard;
  kept.modify_other_keys = payload.modify_other_keys;
  kept.application_keypad = payload.application_keypad;
  kept.saved = payload.saved;
  kept.cursor_style = payload.cursor_style > 0 ? payload.cursor_style : 0;
  return kept;
}

}  // namespace paddock::terminal
