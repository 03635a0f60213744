#include "terminal/characters.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace paddock::terminal {
namespace {

constexpr std::uint64_t each_byte(std::uint64_t value) { return value * 0x0101010101010101u; }

// Not zero if one of eight bytes is below 0x20, is 0x7f or above. Source: Hacker's Delight, 6-1.
std::uint64_t unusual(std::uint64_t bytes) {
  const std::uint64_t low = (bytes - each_byte(0x20)) & ~bytes;
  const std::uint64_t high = bytes + each_byte(0x01);
  return (low | high | bytes) & each_byte(0x80);
}

std::size_t skip_printable(std::string_view bytes, std::size_t at) {
  while (at + 8 <= bytes.size()) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + at, 8);
    if (unusual(word) != 0) break;
    at += 8;
  }
  while (at < bytes.size() && bytes[at] >= 0x20 && bytes[at] < 0x7f) ++at;
  return at;
}

bool is_c1(std::string_view character) {
  return character.size() == 2 && character[0] == '\xc2' && static_cast<unsigned char>(character[1]) < 0xa0;
}

// The length of the whole character at `at`, 0 if there is none or it is a C1 control.
std::size_t whole_character(std::string_view bytes, std::size_t at) {
  const auto first = static_cast<unsigned char>(bytes[at]);
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  const std::string_view character = bytes.substr(at, length);
  if (character_state(character) != CharacterState::whole || is_c1(character)) return 0;
  return length;
}

}  // namespace

std::size_t text_prefix(std::string_view bytes, Encoding encoding) {
  std::size_t at = 0;
  while ((at = skip_printable(bytes, at)) < bytes.size()) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    if (byte == '\n' || byte == '\r' || byte == '\t' || byte == '\b') {
      ++at;
    } else if (byte < 0x80) {
      break;
    } else if (encoding == Encoding::bytes) {
      if (byte < 0xa0) break;
      ++at;
    } else {
      const std::size_t length = whole_character(bytes, at);
      if (length == 0) break;
      at += length;
    }
  }
  return at;
}

std::size_t plain_csi_prefix(std::string_view bytes) {
  const std::size_t end = std::min(bytes.size(), csi_bytes_max);
  if (end < 3 || bytes[1] != '[') return 0;
  std::size_t digits = 0;
  for (std::size_t at = 2; at < end; ++at) {
    const char c = bytes[at];
    if (c >= '0' && c <= '9') {
      if (digits == csi_digits_max || (digits == 1 && bytes[at - 1] == '0')) return 0;
      ++digits;
    } else if (c >= ':' && c <= '?') {
      digits = 0;
    } else {
      return c >= '@' && c < 0x7f ? at + 1 : 0;
    }
  }
  return 0;
}

CharacterState character_state(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes[0]);
  if (first < 0xc2 || first > 0xf4) return CharacterState::invalid;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (bytes.size() > length) return CharacterState::invalid;
  for (std::size_t i = 1; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    unsigned char least = 0x80;
    unsigned char most = 0xbf;
    if (i == 1 && first == 0xe0) least = 0xa0;
    if (i == 1 && first == 0xed) most = 0x9f;
    if (i == 1 && first == 0xf0) least = 0x90;
    if (i == 1 && first == 0xf4) most = 0x8f;
    if (byte < least || byte > most) return CharacterState::invalid;
  }
  return bytes.size() == length ? CharacterState::whole : CharacterState::unfinished;
}

}  // namespace paddock::terminal
