#include "policy/toml_scan.h"

#include <algorithm>

#include "policy/toml_document.h"

namespace paddock {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-' || c == '"' || c == '\'';
}

}  // namespace

std::optional<TomlFault> TomlScan::at_fault(std::string_view what) const {
  return TomlFault{line_, "not valid TOML: " + std::string(what)};
}

std::optional<TomlFault> TomlScan::fault() {
  if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // a byte order mark
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
      continue;
    }
    const bool quote = c == '"' || c == '\'';
    if (auto found = quote ? string(c) : plain(c)) return found;
    if (open_.size() + dots_ > toml_depth_max) {
      return TomlFault{line_, "more than " + std::to_string(toml_depth_max) + " levels deep"};
    }
  }
  return std::nullopt;
}

std::optional<TomlFault> TomlScan::plain(char c) {
  if (is_beyond_ascii(c)) return at_fault("a character beyond ASCII outside quotes");
  if (c == '[' && line_is_blank_ && header_without_name()) return at_fault("a table's name is missing after \"[\"");
  if (date_or_time(c)) return TomlFault{line_, "not valid here: nothing in this file is a date or a time"};
  if (!track(c)) return at_fault(c == '}' ? "\"}\" where a list ends with \"]\"" : "\"]\" where a table ends with \"}\"");
  separate(c);
  ++at_;
  return std::nullopt;
}

bool TomlScan::track(char c) {
  if (c == '[' || c == '{') {
    if (c == '[' && line_is_blank_ && open_.empty()) in_header_ = true;
    in_value_ = c == '[' && !in_header_;
    open_ += c;
  } else if ((c == ']' || c == '}') && !open_.empty()) {
    if (open_.back() != (c == ']' ? '[' : '{')) return false;
    open_.pop_back();
    in_value_ = !in_header_;
  }
  return true;
}

void TomlScan::separate(char c) {
  if (c == '\n') ++line_;
  if (c == '\n') line_is_blank_ = true;
  else if (c != ' ' && c != '\t' && c != '\r') line_is_blank_ = false;
  if (c == '=') in_value_ = true;
  if (c == '\n' && open_.empty()) in_value_ = in_header_ = false;
  if (c == ',' && open_.ends_with('{')) in_value_ = false;
  if (c == ',' && open_.ends_with('[')) in_value_ = true;
  if (c == '.') ++dots_;
  if (c == '\n' || c == '=' || c == ',') dots_ = 0;
}

// `[x]` or `[[x]]`; `[]`, `[[]]` and the end of the text are left to the parser, which names them.
bool TomlScan::header_without_name() const {
  if (!open_.empty()) return false;  // inside a list
  constexpr std::string_view space = " \t";
  auto next = text_.find_first_not_of(space, at_ + 1);
  if (next == at_ + 1 && text_[next] == '[') next = text_.find_first_not_of(space, next + 1);
  if (next == std::string_view::npos) return false;
  return !begins_name(text_[next]) && text_[next] != ']';
}

// A sign behind a digit, or a colon: only dates and times have them.
bool TomlScan::date_or_time(char c) const {
  if (!in_value_ || at_ == 0) return false;
  return c == ':' || (c == '-' && (is_digit(text_[at_ - 1]) || text_[at_ - 1] == '_'));
}

bool TomlScan::at_three(char quote) const { return text_.substr(at_, 3) == std::string(3, quote); }

bool TomlScan::begins_value() const {
  return at_ == 0 || std::string_view(" \t\r\n=[,").find(text_[at_ - 1]) != std::string_view::npos;
}

// A string that does not end is left to the parser.
std::optional<TomlFault> TomlScan::string(char quote) {
  if (in_value_ && !begins_value()) return at_fault("a quote within a value");
  line_is_blank_ = false;
  const bool multiline = at_three(quote);
  at_ += multiline ? 3 : 1;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n' && !multiline) return std::nullopt;
    if (c == '\n') ++line_;
    if (c == '\\' && quote == '"') {
      const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
      if (is_beyond_ascii(next)) return at_fault("a backslash before a character beyond ASCII");
      if (next == '\n') ++line_;
      at_ = std::min(at_ + 2, text_.size());
    } else if (multiline ? at_three(quote) : c == quote) {
      at_ += multiline ? 3 : 1;
      // Up to two more belong to the string: """a""""" is a"".
      for (int more = 0; multiline && more < 2 && at_ < text_.size() && text_[at_] == quote; ++more) ++at_;
      return std::nullopt;
    } else {
      ++at_;
    }
  }
  return std::nullopt;
}

}  // namespace paddock
