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

// One pass over the text, which outlives it. Exact up to the first error in the text, and whatever
// is wrong after that is never parsed.
class TomlScan {
 public:
  explicit TomlScan(std::string_view text) : text_(text) {}

  // The first of: more than toml_depth_max levels (dotted keys and open brackets), a bracket closed by
  // the other kind, a table header that begins with no name, a date or time, a quote
  // within a value, a byte beyond ASCII outside strings and comments or behind a backslash.
  std::optional<TomlFault> fault();

 private:
  std::optional<TomlFault> at_fault(std::string_view what) const;
  std::optional<TomlFault> plain(char c);
  std::optional<TomlFault> string(char quote);
  bool at_three(char quote) const;
  bool begins_value() const;
  bool header_without_name() const;
  bool date_or_time(char c) const;
  bool track(char c);  // false: closes the other kind of bracket
  void separate(char c);

  std::string_view text_;
  std::size_t at_ = 0;
  unsigned line_ = 1;
  unsigned dots_ = 0;          // in the key that is being read
  std::string open_;           // brackets, innermost last
  bool in_value_ = false;      // behind "=" or in a list, else where a key stands
  bool in_header_ = false;     // [x] and [[x]]: brackets around a key
  bool line_is_blank_ = true;  // nothing but white space so far
};

}  // namespace paddock
