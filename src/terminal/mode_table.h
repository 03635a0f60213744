// The terminal modes (SM, RM, DECSET, DECRST) that may reach the user's terminal, each with the state
// that a terminal starts in. A mode that is not here does not pass: VT52 and Tektronix mode would
// change how the terminal reads what follows, others resize the window or lock the keyboard.
// Source: XTerm Control Sequences; for 2026-2048 the proposals that terminals implement.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace paddock::terminal {

enum class ModeSpace : std::uint8_t { ansi, dec };
enum class ModeState : std::uint8_t { off, on };
// Whether the terminal, by itself, writes into its input while the mode is on (mouse, focus, …).
enum class ModeReports : std::uint8_t { no, yes };

struct Mode {
  ModeSpace space = ModeSpace::dec;
  int number = 0;
  ModeState initial = ModeState::off;
  ModeReports reports = ModeReports::no;
};

// In the order in which they are undone: synchronized output first, so that the rest is seen.
inline constexpr std::array modes{
    Mode{ModeSpace::dec, 2026},                                    // synchronized output
    Mode{ModeSpace::dec, 9, ModeState::off, ModeReports::yes},     // mouse: X10
    Mode{ModeSpace::dec, 1000, ModeState::off, ModeReports::yes},  // mouse: buttons
    Mode{ModeSpace::dec, 1002, ModeState::off, ModeReports::yes},  // mouse: drags
    Mode{ModeSpace::dec, 1003, ModeState::off, ModeReports::yes},  // mouse: every motion
    Mode{ModeSpace::dec, 1005},                                    // mouse coordinates: UTF-8
    Mode{ModeSpace::dec, 1006},                                    // mouse coordinates: SGR
    Mode{ModeSpace::dec, 1015},                                    // mouse coordinates: urxvt
    Mode{ModeSpace::dec, 1016},                                    // mouse coordinates: pixels
    Mode{ModeSpace::dec, 1007},                                    // wheel sends arrows
    Mode{ModeSpace::dec, 1004, ModeState::off, ModeReports::yes},  // focus
    Mode{ModeSpace::dec, 2004},                                    // bracketed paste
    Mode{ModeSpace::dec, 2031, ModeState::off, ModeReports::yes},  // colour scheme changes
    Mode{ModeSpace::dec, 2048, ModeState::off, ModeReports::yes},  // size changes
    Mode{ModeSpace::dec, 2027},                                    // grapheme clusters
    Mode{ModeSpace::dec, 1},                                       // application cursor keys
    Mode{ModeSpace::dec, 66},                                      // application keypad
    Mode{ModeSpace::dec, 8, ModeState::on},                        // key repeat
    Mode{ModeSpace::dec, 5},                                       // reverse video
    Mode{ModeSpace::dec, 7, ModeState::on},                        // wrap at the margin
    Mode{ModeSpace::dec, 45},                                      // wrap backwards
    Mode{ModeSpace::dec, 69},                                      // left and right margins
    Mode{ModeSpace::ansi, 4},                                      // insert
    Mode{ModeSpace::ansi, 20},                                     // line feed is a new line
    Mode{ModeSpace::dec, 25, ModeState::on},                       // cursor shown
    Mode{ModeSpace::dec, 6},                                       // origin at the scroll region
};
static_assert(modes.size() <= 32, "PayloadModes::changed is 32 bits");

// Modes with a place of their own in PayloadModes, or none (1048 saves the cursor; 12 is undone with
// the cursor style).
inline constexpr int cursor_blink_mode = 12;
inline constexpr int save_cursor_mode = 1048;
constexpr bool is_alternate_screen(int mode) { return mode == 47 || mode == 1047 || mode == 1049; }

constexpr std::optional<std::size_t> mode_index(ModeSpace space, int number) {
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (modes[i].space == space && modes[i].number == number) return i;
  }
  return std::nullopt;
}

}  // namespace paddock::terminal
