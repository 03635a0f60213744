// A command line taken apart by the table of the one command that was named: sandbox flags in their
// order, the command's own options, and the rest untouched.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/sandbox_flags.h"

namespace paddock {

struct OptionRow {
  std::string_view name;        // "--json"
  std::string_view short_name;  // "-q", or empty
  FlagValue value = FlagValue::none;
  std::string_view value_name;
  std::string_view help;
};

struct Arguments {
  std::vector<FlagUse> sandbox;
  std::vector<FlagUse> own;        // names as in the table
  std::vector<std::string> rest;   // from the first word that is no option, or after "--"
  [[nodiscard]] bool has(std::string_view name) const;
  [[nodiscard]] std::string value_of(std::string_view name) const;  // the last one; empty when absent
};

enum class Rest { command, words };  // command: options end at the first other word

// `words`: everything after the command's name. Errors: unknown options with a suggestion, missing and
// superfluous values.
Result<Arguments> parse_arguments(const std::vector<std::string>& words, std::span<const OptionRow> own, bool takes_sandbox_flags, Rest rest);

}  // namespace paddock
