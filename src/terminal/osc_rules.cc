#include "terminal/osc_rules.h"

#include <algorithm>

#include "base/text.h"
#include "terminal/characters.h"

namespace paddock::terminal {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool all_of(std::string_view text, bool (*is)(char)) { return std::all_of(text.begin(), text.end(), is); }

}  // namespace

int osc_number(std::string_view word) {
  if (word.empty() || word.size() > 4 || !all_of(word, is_digit)) return -1;
  if (word.size() > 1 && word[0] == '0') return -1;
  int number = 0;
  for (const char c : word) number = number * 10 + (c - '0');
  return number;
}

// text_prefix() lets line breaks, tabs and backspaces through, which do not occur here: an OSC token
// holds no C0 controls.
std::string printable(std::string_view text, Encoding encoding, std::size_t bytes_max) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = text_prefix(text, encoding);
    out += text.substr(0, length);  // 0 when a byte stands here that is left out
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  if (out.size() <= bytes_max) return out;
  std::size_t end = bytes_max;
  while (encoding == Encoding::utf8 && end > 0 && (out[end] & 0xc0) == 0x80) --end;
  out.resize(end);
  return out;
}

bool is_graphic_ascii(std::string_view text) {
  return all_of(text, [](char c) { return c > 0x20 && c < 0x7f; });
}

bool is_colour_number(int number) {
  return number == 4 || number == 104 || (number >= 10 && number <= 19) || (number >= 110 && number <= 119);
}

bool is_colour_list(std::string_view text) {
  return all_of(text, [](char c) {
    return is_digit(c) || is_letter(c) || std::string_view(";:/#?. -,").find(c) != std::string_view::npos;
  });
}

bool sets_palette(std::string_view pairs) {
  const auto parts = split(std::string(pairs), ';');
  for (std::size_t i = 1; i < parts.size(); i += 2) {
    if (parts[i] != "?") return true;
  }
  return false;
}

std::uint16_t colours_set(int first, std::string_view list) {
  std::uint16_t set = 0;
  int n = first;
  for (const std::string& part : split(std::string(list), ';')) {
    if (n < 10 && part != "?" && !part.empty()) set |= static_cast<std::uint16_t>(1u << n);
    ++n;
  }
  return set;
}

bool is_web_target(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://", "mailto:"}) {
    if (target.starts_with(scheme)) return true;
  }
  return false;
}

bool is_selection(std::string_view names) {
  return names.size() <= 16 && names.find_first_not_of("cpqs01234567") == std::string_view::npos;
}

bool is_base64(std::string_view text) {
  return all_of(text, [](char c) { return is_digit(c) || is_letter(c) || c == '+' || c == '/' || c == '='; });
}

bool is_progress(std::string_view text) {
  if (text.size() < 3 || text.size() > 7 || !text.starts_with("4;") || text[2] < '0' || text[2] > '4') return false;
  return text.size() == 3 || (text[3] == ';' && all_of(text.substr(4), is_digit));
}

bool begins_with_number(std::string_view text) {
  const std::size_t digits =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
  return digits > 0 && (digits == text.size() || text[digits] == ';');
}

bool is_plain_notification(std::string_view text) {
  const std::size_t at = text.find(';');
  if (at == std::string_view::npos) return false;
  for (const std::string& item : split(std::string(text.substr(0, at)), ':')) {
    if (item.empty() && at == 0) continue;
    if (item.size() < 3 || item[1] != '=' || std::string_view("diepuot").find(item[0]) == std::string_view::npos)
      return false;
    const std::string_view value = std::string_view(item).substr(2);
    if (!all_of(value,
                [](char c) { return is_digit(c) || is_letter(c) || c == '-' || c == '_' || c == '+' || c == '.'; }))
      return false;
    if (item[0] == 'p' && value != "title" && value != "body") return false;
  }
  return true;
}

}  // namespace paddock::terminal
