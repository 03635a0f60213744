#include "plan/codec_text.h"

namespace paddock {
namespace {

constexpr unsigned char escape_lead = 0xEE;  // U+EF80 to U+EFFF are EE BE 80 to EE BF BF

unsigned char byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

bool is_escape(std::string_view text) {
  return text.size() >= 3 && byte_at(text, 0) == escape_lead && (byte_at(text, 1) & 0xFE) == 0xBE;
}

// Bytes of the well-formed character at the front (Unicode, table 3-7); 0 if there is none.
std::size_t character_length(std::string_view text) {
  const unsigned char first = byte_at(text, 0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  const unsigned char second_min = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned char second_max = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (byte_at(text, 1) < second_min || byte_at(text, 1) > second_max) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte_at(text, i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

}  // namespace

std::string json_text_of(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t length = is_escape(bytes) ? 0 : character_length(bytes);
    if (length == 0) {
      const unsigned char byte = byte_at(bytes, 0);
      text += static_cast<char>(escape_lead);
      text += static_cast<char>(0xBC | byte >> 6);
      text += static_cast<char>(0x80 | (byte & 0x3F));
    } else {
      text.append(bytes.substr(0, length));
    }
    bytes.remove_prefix(length == 0 ? 1 : length);
  }
  return text;
}

std::optional<std::string> bytes_of_json_text(std::string_view text) {
  std::string bytes;
  for (std::string_view rest = text; !rest.empty();) {
    const bool escaped = is_escape(rest);
    bytes += escaped ? static_cast<char>((byte_at(rest, 1) & 0x03) << 6 | (byte_at(rest, 2) & 0x3F)) : rest.front();
    rest.remove_prefix(escaped ? 3 : 1);
  }
  if (json_text_of(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace paddock
