// Characters of terminal output at the level of bytes: runs that need no look, and UTF-8.
// Pure; nothing here allocates.
#pragma once

#include <cstddef>
#include <string_view>

#include "terminal/sequence_parser.h"

namespace paddock::terminal {

inline constexpr unsigned char control_bell = 0x07;
inline constexpr unsigned char control_cancel = 0x18;
inline constexpr unsigned char control_substitute = 0x1a;
inline constexpr unsigned char control_escape = 0x1b;
inline constexpr unsigned char control_delete = 0x7f;
inline constexpr std::string_view replacement_character = "\xef\xbf\xbd";

// The number of leading bytes that are text as TokenKind::text defines it: whole characters only.
std::size_t text_prefix(std::string_view bytes, Encoding encoding);

// The length of a CSI sequence at the front of `bytes` (ESC, '[', parameters, one final byte) that is
// whole, without intermediates, and whose numbers need no rewriting; 0 for every other sequence.
std::size_t plain_csi_prefix(std::string_view bytes);

enum class CharacterState { whole, unfinished, invalid };

// Whether `bytes` (1 to 4 of them, the first above 0x7f) are one UTF-8 character, the beginning of
// one, or neither. Source: Unicode 15, table 3-7.
CharacterState character_state(std::string_view bytes);

}  // namespace paddock::terminal
