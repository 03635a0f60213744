#include "host/git_config.h"

#include <algorithm>

namespace paddock {
namespace {

constexpr int end_of_text = -1;

bool is_space(int c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }  // git's own set
bool is_letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_key_character(int c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; }
char lower(int c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
  }

  GitConfig parse() {
    while (!ended_) {
      if (!read_item()) {
        config_.bad_line = std::max<std::size_t>(line_ - (last_ == '\n' ? 1 : 0), 1);
        break;
      }
    }
    return std::move(config_);
  }

 private:
  // One character, "\r\n" as '\n'. The end of the text is a '\n' too, after which ended_ holds.
  int next() {
    if (rest_.empty()) {
      ended_ = true;
      return last_ = '\n';
    }
    if (rest_.starts_with("\r\n")) rest_.remove_prefix(1);
    const unsigned char c = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    if (c == '\n') ++line_;
    return last_ = c;
  }

  // White space, a comment, a section header or a variable; false for what git refuses.
  bool read_item() {
    const int c = next();
    if (is_space(c)) return true;
    if (c == '#' || c == ';') return skip_line();
    if (c == '[') return read_header();
    return is_letter(c) && read_variable(c);
  }

  bool skip_line() {
    while (next() != '\n') {
    }
    return true;
  }

  bool read_header() {
    section_.clear();
    subsection_.clear();
    has_subsection_ = false;
    for (;;) {
      const int c = next();
      if (c == ']') return finish_header();
      if (is_space(c) && c != '\n') return read_subsection(c);
      if (!is_key_character(c) && c != '.') return false;
      section_ += lower(c);
    }
  }

  // What follows the first dot is the subsection, as in a key: [section.sub] without case, and
  // [section.sub "more"] is "sub.more".
  bool finish_header() {
    const auto dot = section_.find('.');
    if (dot == std::string::npos) return true;
    subsection_ = section_.substr(dot + 1) + (has_subsection_ ? "." + subsection_ : "");
    section_.resize(dot);
    has_subsection_ = true;
    return true;
  }

  bool read_subsection(int c) {
    while (is_space(c) && c != '\n') c = next();
    if (c != '"') return false;
    for (;;) {
      c = next();
      if (c == '"') break;
      if (c == '\\') c = next();
      if (c == '\n') return false;
      subsection_ += static_cast<char>(c);
    }
    has_subsection_ = true;
    return next() == ']' && finish_header();
  }

  bool read_variable(int first) {
    if (config_.entries.size() >= git_config_entries_max) return false;
    GitConfigEntry entry{section_, subsection_, has_subsection_, {}, {}};
    int c = first;
    for (; is_key_character(c); c = next()) entry.name += lower(c);
    while (c == ' ' || c == '\t') c = next();
    if (c != '\n') {
      std::string value;
      if (c != '=' || !read_value(value)) return false;
      entry.value = std::move(value);
    }
    config_.entries.push_back(std::move(entry));
    return true;
  }

  bool read_value(std::string& value) {
    bool quoted = false;
    std::size_t spaces = 0;
    for (;;) {
      int c = next();
      if (c == '\n') return !quoted;
      if (c == '\0') return false;
      if (!quoted && (c == '#' || c == ';')) return skip_line();
      if (!quoted && is_space(c)) {
        if (!value.empty()) ++spaces;
        continue;
      }
      value.append(spaces, ' ');
      spaces = 0;
      if (c == '"') {
        quoted = !quoted;
      } else if (c != '\\') {
        value += static_cast<char>(c);
      } else if (!read_escape(value)) {
        return false;
      }
    }
  }

  bool read_escape(std::string& value) {
    switch (next()) {
      case '\n': return true;  // the value goes on in the next line
      case 't': value += '\t'; return true;
      case 'b': value += '\b'; return true;
      case 'n': value += '\n'; return true;
      case '\\': value += '\\'; return true;
      case '"': value += '"'; return true;
      default: return false;
    }
  }

  std::string_view rest_;
  GitConfig config_;
  std::string section_;
  std::string subsection_;
  bool has_subsection_ = false;
  bool ended_ = false;
  int last_ = end_of_text;
  std::size_t line_ = 1;
};

}  // namespace

GitConfig parse_git_config(std::string_view text) {
  const bool too_long = text.size() > git_config_bytes_max;
  if (too_long) text = text.substr(0, text.rfind('\n', git_config_bytes_max) + 1);
  GitConfig config = Parser(text).parse();
  if (too_long && config.bad_line == 0) {
    config.bad_line = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  }
  return config;
}

std::string git_config_key(const GitConfigEntry& entry) {
  std::string key = entry.section;
  if (entry.has_subsection) key.append(".").append(entry.subsection);
  return key.append(".").append(entry.name);
}

std::optional<bool> git_boolean(const std::optional<std::string>& value) {
  if (!value) return true;
  std::string word;
  for (const char c : *value) word += lower(static_cast<unsigned char>(c));
  if (word == "true" || word == "yes" || word == "on") return true;
  if (word.empty() || word == "false" || word == "no" || word == "off") return false;
  std::string_view digits = word;
  if (digits.starts_with('-') || digits.starts_with('+')) digits.remove_prefix(1);
  if (!digits.empty() && std::string_view("kmg").find(digits.back()) != std::string_view::npos) digits.remove_suffix(1);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) return {};
  return digits.find_first_not_of('0') != std::string_view::npos;
}

}  // namespace paddock
