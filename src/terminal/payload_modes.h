// What the payload has changed in the user's terminal and not changed back, as a value, and the bytes
// that undo or repeat it. Pure. The terminal is taken to have started as a shell leaves it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "terminal/mode_table.h"

namespace paddock::terminal {

inline constexpr std::size_t keyboard_depth_max = 16;  // further pushes do not pass
inline constexpr int title_depth_max = 8;              // xterm keeps 10
inline constexpr std::size_t undo_bytes_max = 1024;    // of undo_sequence() and redo_sequence()

// The stack of kitty keyboard flags; terminals keep one for each screen.
// Source: sw.kovidgoyal.net/kitty/keyboard-protocol, "Progressive enhancement".
struct KeyboardStack {
  std::array<std::uint8_t, keyboard_depth_max> flags{};
  std::uint8_t depth = 0;
  std::uint8_t base = 0;  // the flags below the stack, which `CSI = u` changes when it is empty
  friend bool operator==(const KeyboardStack&, const KeyboardStack&) = default;
};

// What SGR has set and not set back: bits of PayloadModes::rendition.
enum Rendition : std::uint16_t {
  rendition_weight = 1 << 0,
  rendition_italic = 1 << 1,
  rendition_underline = 1 << 2,
  rendition_blink = 1 << 3,
  rendition_inverse = 1 << 4,
  rendition_conceal = 1 << 5,
  rendition_strike = 1 << 6,
  rendition_font = 1 << 7,
  rendition_foreground = 1 << 8,
  rendition_background = 1 << 9,
  rendition_underline_colour = 1 << 10,
  rendition_overline = 1 << 11,
  rendition_frame = 1 << 12,
  rendition_script = 1 << 13,
};

// What any saved cursor (DECSC, 1048, 1049) may bring back: terminals keep one for each screen, and this
// is their union, so that undoing is at worst redundant.
struct SavedCursor {
  std::uint32_t changed = 0;  // the origin mode
  std::uint16_t rendition = 0;
  std::uint8_t charsets = 0;
  bool shifted = false;
  friend bool operator==(const SavedCursor&, const SavedCursor&) = default;
};

struct PayloadModes {
  std::uint32_t changed = 0;  // bit i: modes[i] is not in its initial state
  int alternate_screen = 0;   // 0, 47, 1047 or 1049
  KeyboardStack main_keyboard;
  KeyboardStack alternate_keyboard;
  int modify_other_keys = 0;  // the value of XTMODKEYS 4
  bool application_keypad = false;
  bool scroll_region = false;
  bool shifted = false;          // GL is not G0 (SO, LS2, LS3)
  std::uint8_t charsets = 0;     // bit g: G0..G3 is not ASCII
  std::uint16_t rendition = 0;   // of enum Rendition
  SavedCursor saved;
  int cursor_style = 0;          // of DECSCUSR; -1: blinking was changed
  bool hyperlink = false;        // one is open
  bool palette = false;          // OSC 4
  std::uint16_t colours = 0;     // bit n: OSC 10 + n
  bool progress = false;         // OSC 9 ; 4
  bool tab_stops = false;
  bool title = false;            // the user's title has been put on the terminal's stack
  int titles_pushed = 0;         // by the payload, above the user's
  friend bool operator==(const PayloadModes&, const PayloadModes&) = default;
};

KeyboardStack& keyboard_of_screen(PayloadModes& payload);

// Notes that a mode was set or reset.
void note_mode(PayloadModes& payload, std::size_t index, ModeState state);
void note_alternate_screen(PayloadModes& payload, int mode, ModeState state);

void note_cursor_saved(PayloadModes& payload);
void note_cursor_restored(PayloadModes& payload);

// Whether a mode is on in which the terminal writes into its input by itself.
bool reports_are_on(const PayloadModes& payload);

// The bytes that set everything back; nothing at all if nothing is changed. The cursor stays where it
// is, except that the origin mode (DECOM) leaves it at the bottom.
std::string undo_sequence(const PayloadModes& payload);

// The bytes that set again, after undo_sequence(), what a stopped payload expects when it goes on:
// screen, modes and keyboard. Colours, margins, character sets and titles are not set again; a program
// that draws the whole screen sets them with what it draws.
std::string redo_sequence(const PayloadModes& payload);

// What is changed after undo_sequence() and redo_sequence() have both been written.
PayloadModes redone(const PayloadModes& payload);

}  // namespace paddock::terminal
