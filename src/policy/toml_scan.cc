#include "policy/toml_scan.h"

#include <algorithm>

#include "policy/toml_document.h"

namespace paddock {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-' || c == '"' || c == '\'';
}

}  // namespace

std::optional<TomlFault> TomlScan::fault() {
  if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // a byte order mark
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"' || c == '\'') {
      line_is_blank_ = false;
      skip_string(c);
      continue;
    }
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
      continue;
    }
    if (c == '[' && line_is_blank_ && header_without_name()) {
      return TomlFault{line_, "not valid TOML: a table's name is missing after \"[\""};
    }
    if (static_cast<unsigned char>(c) >= 0x80) {
      return TomlFault{line_, "not valid TOML: a character beyond ASCII outside quotes"};
    }
    if (c == ' ' && date_and_space()) return TomlFault{line_, "not valid here: nothing in this file is a date"};
    count(c);
    ++at_;
    if (brackets_ + dots_ > toml_depth_max) {
      return TomlFault{line_, "more than " + std::to_string(toml_depth_max) + " levels deep"};
    }
  }
  return std::nullopt;
}

// `[x]` or `[[x]]`; `[]`, `[[]]` and the end of the text are left to the parser, which names them.
bool TomlScan::header_without_name() const {
  if (brackets_ != 0) return false;  // inside a list
  constexpr std::string_view space = " \t";
  auto next = text_.find_first_not_of(space, at_ + 1);
  if (next == at_ + 1 && next < text_.size() && text_[next] == '[') next = text_.find_first_not_of(space, next + 1);
  if (next == std::string_view::npos) return false;
  const char c = text_[next];
  return !begins_name(c) && c != ']';
}

bool TomlScan::date_and_space() const {
  if (at_ < 10 || at_ + 1 >= text_.size() || !is_digit(text_[at_ + 1])) return false;
  const std::string_view date = text_.substr(at_ - 10, 10);
  return date[4] == '-' && date[7] == '-' && is_digit(date[0]) && is_digit(date[9]);
}

void TomlScan::count(char c) {
  if (c == '\n') ++line_;
  if (c == '\n') line_is_blank_ = true;
  else if (c != ' ' && c != '\t' && c != '\r') line_is_blank_ = false;
  if (c == '.') ++dots_;
  if (c == '\n' || c == '=' || c == ',') dots_ = 0;
  if (c == '[' || c == '{') ++brackets_;
  if ((c == ']' || c == '}') && brackets_ > 0) --brackets_;
}

bool TomlScan::at_multiline(char quote) const { return text_.substr(at_, 3) == std::string(3, quote); }

// A string that does not end is left to the parser.
void TomlScan::skip_string(char quote) {
  const bool multiline = at_multiline(quote);
  at_ += multiline ? 3 : 1;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n' && !multiline) return;
    if (c == '\n') ++line_;
    if (c == '\\' && quote == '"') {
      // An escaped line end still ends a line.
      if (at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++line_;
      at_ = std::min(at_ + 2, text_.size());
    } else if (multiline ? at_multiline(quote) : c == quote) {
      at_ += multiline ? 3 : 1;
      return;
    } else {
      ++at_;
    }
  }
}

}  // namespace paddock
