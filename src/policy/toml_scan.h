// A look at a TOML text before the library sees it. The library (3.3) aborts on some malformed texts
// and recurses without a limit on others; those are found here and refused like any other error.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace paddock {

struct TomlFault {
  unsigned line = 0;
  std::string what;
};

// One pass over the text. The text outlives it.
class TomlScan {
 public:
  explicit TomlScan(std::string_view text) : text_(text) {}

  // The first of: more than toml_depth_max levels (dotted keys and open brackets), a table header
  // that begins with no name, a date followed by a space and a digit, a byte beyond ASCII. Strings
  // and comments are skipped.
  std::optional<TomlFault> fault();

 private:
  bool at_multiline(char quote) const;
  void skip_string(char quote);
  bool header_without_name() const;
  bool date_and_space() const;
  void count(char c);

  std::string_view text_;
  std::size_t at_ = 0;
  unsigned line_ = 1;
  unsigned dots_ = 0;
  unsigned brackets_ = 0;
  bool line_is_blank_ = true;  // nothing but white space so far
};

}  // namespace paddock
