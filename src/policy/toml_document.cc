#include "policy/toml_document.h"

#include <toml++/toml.h>

#include <algorithm>

namespace paddock {

std::string_view name_of(TomlKind kind) {
  switch (kind) {
    case TomlKind::text: return "a string";
    case TomlKind::integer: return "a whole number";
    case TomlKind::real: return "a number";
    case TomlKind::boolean: return "true or false";
    case TomlKind::moment: return "a date or time";
    case TomlKind::list: return "a list";
    case TomlKind::table: return "a table";
  }
  return "?";
}

namespace {

Error at_line(std::string_view where, unsigned line, std::string_view what, ErrorCode code) {
  return error(code, std::string(where) + ":" + std::to_string(line) + ": " + std::string(what));
}

// Nothing deeper than toml_depth_max reaches the library: dotted keys and open brackets are counted
// outside strings and comments. Returns the line of the first excess, 0 if there is none.
class DepthScan {
 public:
  explicit DepthScan(std::string_view text) : text_(text) {}

  unsigned excess_line() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_string(c);
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        count(c);
        ++at_;
      }
      if (brackets_ + dots_ > toml_depth_max) return line_;
    }
    return 0;
  }

 private:
  void count(char c) {
    if (c == '\n') ++line_;
    if (c == '.') ++dots_;
    if (c == '\n' || c == '=' || c == ',') dots_ = 0;
    if (c == '[' || c == '{') ++brackets_;
    if ((c == ']' || c == '}') && brackets_ > 0) --brackets_;
  }

  // A string that does not end is left to the parser, which names it.
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool multiline = text_.substr(at_, 3) == three;
    at_ += multiline ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c == '\n' && !multiline) break;
      if (c == '\\' && quote == '"') {
        // An escaped line end still ends a line.
        if (at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++line_;
        at_ += 2;
      } else if (multiline ? text_.substr(at_, 3) == three : c == quote) {
        at_ += multiline ? 3 : 1;
        break;
      } else {
        ++at_;
      }
    }
    at_ = std::min(at_, text_.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
  unsigned line_ = 1;
  unsigned dots_ = 0;
  unsigned brackets_ = 0;
};

TomlValue copied(const toml::node& node);

TomlValue copied_table(const toml::table& table) {
  TomlValue value;
  for (const auto& [key, node] : table) {
    value.entries.push_back({std::string(key.str()), static_cast<unsigned>(key.source().begin.line), copied(node)});
  }
  std::stable_sort(value.entries.begin(), value.entries.end(),
                   [](const TomlEntry& a, const TomlEntry& b) { return a.line < b.line; });
  return value;
}

// The tree is at most toml_depth_max deep (see DepthScan), so recursion is bounded.
TomlValue copied(const toml::node& node) {
  TomlValue value;
  if (const auto* table = node.as_table()) {
    value = copied_table(*table);
  } else if (const auto* list = node.as_array()) {
    value.kind = TomlKind::list;
    for (const toml::node& item : *list) value.items.push_back(copied(item));
  } else if (const auto* text = node.as_string()) {
    value.kind = TomlKind::text;
    value.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.kind = TomlKind::integer;
    value.integer = integer->get();
  } else if (const auto* real = node.as_floating_point()) {
    value.kind = TomlKind::real;
    value.real = real->get();
  } else if (const auto* boolean = node.as_boolean()) {
    value.kind = TomlKind::boolean;
    value.boolean = boolean->get();
  } else {
    value.kind = TomlKind::moment;
  }
  value.line = static_cast<unsigned>(node.source().begin.line);
  return value;
}

// The library's words for it, from the part that says what is wrong.
std::string reason(std::string_view description) {
  constexpr std::string_view preamble = "Error while parsing ";
  if (description.starts_with(preamble)) description.remove_prefix(preamble.size());
  std::string said = "not valid TOML: " + std::string(description);
  if (description.find("cannot redefine") != std::string_view::npos) said += " (each key and table once)";
  return said;
}

}  // namespace

Result<TomlValue> parse_toml(std::string_view text, std::string_view where, ErrorCode code) {
  if (text.size() > toml_bytes_max) {
    return at_line(where, 1, "larger than 1 MiB; no file of this kind is", code);
  }
  if (const auto nul = text.find('\0'); nul != std::string_view::npos) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
    return at_line(where, static_cast<unsigned>(line), "holds a NUL byte", code);
  }
  if (const unsigned line = DepthScan(text).excess_line(); line != 0) {
    return at_line(where, line, "more than " + std::to_string(toml_depth_max) + " levels deep", code);
  }
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    return at_line(where, static_cast<unsigned>(parsed.error().source().begin.line),
                   reason(parsed.error().description()), code);
  }
  return copied_table(parsed.table());
}

}  // namespace paddock
