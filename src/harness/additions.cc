#include <algorithm>
#include <cstdio>
#include <iterator>

#include "harness/manifest.h"

namespace paddock {

namespace {

using Words = std::vector<std::string>;

bool is_one_of(const Words& all, std::string_view word) { return std::find(all.begin(), all.end(), word) != all.end(); }

bool is_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

// The index of the first word that is neither an option nor the value of one; nothing after "--"
// is looked at. The number of words when there is none.
std::size_t subcommand_index(const Words& arguments, const Words& options_with_value) {
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    if (!is_option(arguments[i])) return i;
    if (is_one_of(options_with_value, arguments[i])) ++i;
  }
  return arguments.size();
}

// Given as "x", as "x=..." for a long option, or as "-xREST" never: that could be another one.
bool user_gave(const Words& arguments, std::string_view option) {
  const std::string with_value = std::string(option) + "=";
  for (const std::string& word : arguments) {
    if (word == "--") return false;
    if (word == option || word.starts_with(with_value)) return true;
  }
  return false;
}

bool applies(const Addition& addition, const Words& arguments, const std::string& subcommand) {
  for (const std::string& option : addition.suppressed_by) {
    if (user_gave(arguments, option)) return false;
  }
  if (is_one_of(addition.never_subcommands, subcommand)) return false;
  return addition.only_subcommands.empty() || is_one_of(addition.only_subcommands, subcommand);
}

void replace_all(std::string& text, std::string_view placeholder, std::string_view value) {
  for (auto at = text.find(placeholder); at != std::string::npos; at = text.find(placeholder, at + value.size())) {
    text.replace(at, placeholder.size(), value);
  }
}

// A TOML basic string: quotes, backslashes and control characters escaped.
std::string toml_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04X", static_cast<unsigned>(c));
      quoted += escaped;
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

}  // namespace

Addition at_directory(Addition addition, std::string_view directory) {
  const std::string as_toml = toml_string(directory);
  for (std::string& word : addition.words) {
    // One of the two in a word: braces in the directory's own name are never looked at again.
    const auto at = word.find("{directory:toml}");
    if (at != std::string::npos) replace_all(word, "{directory:toml}", as_toml);
    else replace_all(word, "{directory}", directory);
  }
  return addition;
}

Words with_additions(const std::vector<Addition>& additions, const Words& arguments) {
  Words head;
  Words tail;  // behind the sub-command
  std::size_t split = 0;
  for (const Addition& addition : additions) {
    const std::size_t at = subcommand_index(arguments, addition.options_with_value);
    const std::string subcommand = at < arguments.size() ? arguments[at] : std::string();
    if (!applies(addition, arguments, subcommand)) continue;
    const bool behind = at < arguments.size() && is_one_of(addition.after_subcommands, subcommand);
    if (behind) split = at + 1;
    Words& into = behind ? tail : head;
    into.insert(into.end(), addition.words.begin(), addition.words.end());
  }
  Words all = std::move(head);
  const auto middle = arguments.begin() + static_cast<std::ptrdiff_t>(split);
  all.insert(all.end(), arguments.begin(), middle);
  all.insert(all.end(), tail.begin(), tail.end());
  all.insert(all.end(), middle, arguments.end());
  return all;
}

}  // namespace paddock
