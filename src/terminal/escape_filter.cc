#include "terminal/escape_filter.h"

namespace paddock::terminal {
namespace {

// Whether the sequence of one byte passes.
bool single(char byte, PayloadModes& payload) {
  switch (byte) {
    case '7': note_cursor_saved(payload); return true;
    case '8': note_cursor_restored(payload); return true;
    case 'D':  // IND, NEL, RI
    case 'E':
    case 'M':
    case 'N':  // SS2, SS3
    case 'O':
    case '6':  // back, forward index
    case '9': return true;
    case 'H': payload.tab_stops = true; return true;
    case '=': payload.application_keypad = true; return true;
    case '>': payload.application_keypad = false; return true;
    case 'n':  // LS2, LS3 and the right-hand ones
    case 'o':
    case '|':
    case '}':
    case '~': payload.shifted = true; return true;
    default: return false;
  }
}

// RIS: all is as at the start, except the titles.
void reset_terminal(PayloadModes& payload) {
  PayloadModes fresh;
  fresh.title = payload.title;
  fresh.titles_pushed = payload.titles_pushed;
  payload = fresh;
}

// G0..G3 are designated by ( ) * + and a final byte; B is ASCII. Others take a second intermediate.
bool charset(std::string_view body, PayloadModes& payload) {
  const std::size_t g = std::string_view("()*+").find(body[0]);
  if (g == std::string_view::npos || body.size() != 2) return false;
  const auto bit = static_cast<std::uint8_t>(1u << g);
  payload.charsets = static_cast<std::uint8_t>(body[1] == 'B' ? payload.charsets & ~bit : payload.charsets | bit);
  return true;
}

bool passes(std::string_view body, PayloadModes& payload) {
  if (body == "c") {
    reset_terminal(payload);
    return true;
  }
  if (body.size() == 1) return single(body[0], payload);
  if (body[0] == '#') return body.size() == 2 && std::string_view("34568").find(body[1]) != std::string_view::npos;
  return charset(body, payload);
}

}  // namespace

void filter_control(char control, FilterState& state, std::string& out) {
  switch (control) {
    case '\n':
    case '\r':
    case '\t':
    case '\b':
    case '\a':
    case '\v':
    case '\f': out += control; return;
    case '\x0e': state.payload.shifted = true; out += control; return;
    case '\x0f': state.payload.shifted = false; out += control; return;
    default: ++state.counts.dropped;
  }
}

void filter_escape(std::string_view body, FilterState& state, std::string& out) {
  if (!passes(body, state.payload)) {
    ++state.counts.dropped;
    return;
  }
  out += '\x1b';
  out += body;
}

}  // namespace paddock::terminal
