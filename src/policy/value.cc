#include "policy/value.h"

#include <algorithm>

#include "base/text.h"
#include "policy/toml_reader.h"

namespace paddock {

namespace {

Error usage(std::string message, std::string hint = {}) {
  return error(ErrorCode::usage, std::move(message), std::move(hint));
}

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

bool is_digits(std::string_view text) { return parse_unsigned(text).has_value(); }

}  // namespace

Result<std::uint64_t> memory_bytes_of(std::string_view text) {
  const auto bytes = parse_bytes(text);
  if (!bytes) return usage(quoted(text) + " is not a size; write a number with a unit, such as 512M or 8G");
  if (*bytes < memory_bytes_min) {
    std::string what = quoted(text) + " is less than 1 MiB, and nothing starts in that";
    if (is_digits(text) && *bytes > 0) what += "; did you mean " + quoted(std::string(text) + "M") + "?";
    return usage(std::move(what));
  }
  if (*bytes > memory_bytes_max) return usage(quoted(text) + " is more memory than any machine has");
  return *bytes;
}

Result<std::uint64_t> cpu_milli_of(std::string_view text) {
  const auto dot = text.find('.');
  const auto whole = parse_unsigned(text.substr(0, dot));
  std::uint64_t milli = 0;
  bool good = whole && *whole <= cpu_milli_max;
  if (good) milli = *whole * 1000;
  if (good && dot != std::string_view::npos) {
    const std::string digits = std::string(text.substr(dot + 1));
    good = is_digits(digits) && digits.size() <= 6;
    if (good) milli += *parse_unsigned((digits + "00").substr(0, 3));
  }
  if (!good) return usage(quoted(text) + " is not a number of CPUs; write one such as 4 or 1.5");
  if (milli < cpu_milli_min) return usage(quoted(text) + " leaves no CPU to run on; the least is 0.01");
  if (milli > cpu_milli_max) return usage(quoted(text) + " is more CPUs than Linux can have (8192)");
  return milli;
}

Result<std::uint64_t> processes_of(std::string_view text) {
  const auto count = parse_unsigned(text);
  if (!count) return usage(quoted(text) + " is not a number of processes; write a whole number such as 2048");
  if (*count == 0) return usage("with 0 processes nothing can start; the least is 1");
  if (*count > processes_max) return usage(quoted(text) + " is more processes than Linux can have (4194304)");
  return *count;
}

Result<std::uint64_t> wall_time_ms_of(std::string_view text) {
  const auto ms = parse_duration_ms(text);
  if (!ms) return usage(quoted(text) + " is not a length of time above zero; write one such as 90s, 15m, 2h or 1d");
  if (*ms > wall_time_ms_max) return usage(quoted(text) + " is longer than 366d; leave the limit out instead");
  return *ms;
}

bool is_variable_name(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || digit(c); });
}

Result<std::string> variable_name_of(std::string_view text) {
  if (is_variable_name(text)) return std::string(text);
  if (text.empty()) return usage("a variable's name is missing");
  return usage(quoted(text) + " is not a variable's name: letters, digits and _, not beginning with a digit");
}

namespace {

Result<void> check_path_text(std::string_view text) {
  if (text.empty()) return usage("an empty path", "write \".\" for the directory itself");
  if (text.find('\0') != std::string_view::npos) return usage("a path must not hold a NUL character");
  if (text.size() >= path_bytes_max) return usage("a path must be shorter than 4096 bytes");
  if (text.front() == '~' && text.size() > 1 && text[1] != '/') {
    return usage(quoted(text) + ": another user's home is not looked up; write the full path, or " +
                 quoted("./" + std::string(text)) + " for a file of that name");
  }
  return {};
}

}  // namespace

Result<PathRule> path_rule_of(std::string_view text, std::string_view base, Origin origin) {
  const bool optional = text.ends_with('?');
  if (optional) text.remove_suffix(1);
  TRY(check_path_text(text));
  return PathRule{std::string(text), std::string(base), optional, std::move(origin)};
}

Result<PatternRule> pattern_rule_of(std::string_view text, std::string_view base, Origin origin, Negation negation) {
  const bool negated = text.starts_with('!');
  if (negated && negation == Negation::refused) {
    return usage(quoted(text) + ": a mask is not taken back with \"!\", which is for entries of the protected list",
                 "write \"./!name\" for a file whose name begins with \"!\"");
  }
  if (negated) text.remove_prefix(1);
  TRY(check_path_text(text));
  return PatternRule{std::string(text), std::string(base), negated, std::move(origin)};
}

Result<void> check_given_up(std::string_view name, const GuaranteeNames& names) {
  const auto is_in = [&](const std::vector<std::string>& all) {
    return std::find(all.begin(), all.end(), name) != all.end();
  };
  if (is_in(names.can_be_given_up)) return {};
  if (is_in(names.always_held)) return usage(quoted(name) + " cannot be given up: it always holds");
  return usage("no guarantee is called " + quoted(visible(name)) + did_you_mean(name, names.can_be_given_up));
}

Result<void> check_given_up(const Policy& policy, const GuaranteeNames& names, ErrorCode code) {
  for (const NamedRule& rule : policy.without) {
    auto checked = check_given_up(rule.name, names);
    if (checked.ok()) continue;
    checked.failure().code = code;
    return std::move(checked).failure().context(rule.origin.where);
  }
  std::vector<std::string> all = names.can_be_given_up;
  all.insert(all.end(), names.always_held.begin(), names.always_held.end());
  for (const NamedRule& rule : policy.required) {
    if (std::find(all.begin(), all.end(), rule.name) != all.end()) continue;
    const auto near = nearest(rule.name, all);
    return error(code, rule.origin.where + ": no guarantee is called \"" + visible(rule.name) + "\"", near ? "did you mean \"" + *near + "\"?" : "one of: " + join(all, ", "));
  }
  return {};
}

}  // namespace paddock
