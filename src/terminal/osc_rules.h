// What an OSC string may hold, one question each. Pure.
// Sources: XTerm Control Sequences "Operating System Commands"; sw.kovidgoyal.net/kitty/desktop-notifications;
// conemu.github.io "ANSI escape codes"; the hyperlink note of egmontkob.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "terminal/sequence_parser.h"

namespace paddock::terminal {

// The number in canonical form (no sign, no leading zero, at most four digits), else -1.
int osc_number(std::string_view word);

// The text without control characters, C1, and what is not valid in the encoding; cut at a whole
// character to `bytes_max`.
std::string printable(std::string_view text, Encoding encoding, std::size_t bytes_max);

bool is_graphic_ascii(std::string_view text);  // 0x21-0x7e

bool is_colour_number(int number);             // 4, 10-19, 104, 110-119
bool is_colour_list(std::string_view text);    // names, numbers, rgb:… and '?', between ';'
bool sets_palette(std::string_view pairs);     // "index;colour" pairs of which one is not a '?'
// Of the dynamic colours from `first` on (0 is OSC 10), those that the list sets: bit n is OSC 10 + n.
std::uint16_t colours_set(int first, std::string_view list);

bool is_web_target(std::string_view target);   // http, https, mailto
bool is_selection(std::string_view names);     // of OSC 52
bool is_base64(std::string_view text);

bool is_progress(std::string_view text);       // "4;state[;percent]"
bool begins_with_number(std::string_view text);
// The metadata of an OSC 99 asks for nothing in return: title or body of a plain notification.
bool is_plain_notification(std::string_view text);

}  // namespace paddock::terminal
