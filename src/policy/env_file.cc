#include "policy/sandbox_flags.h"

namespace paddock {

namespace {

std::string_view without_line_end(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view without_indent(std::string_view line) {
  const auto first = line.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : line.substr(first);
}

// What is wrong with the line, without a byte of it: it may be a secret that lost its name.
std::string complaint(std::string_view name) {
  if (name.starts_with("export ")) return "begins with \"export\"; write NAME=value alone";
  if (name.find_first_of(" \t") != std::string_view::npos) return "has a space before the \"=\"; write NAME=value";
  return "does not begin with a variable's name (letters, digits and _, not beginning with a digit); write NAME=value";
}

}  // namespace

Result<std::vector<VariableRule>> parse_env_file(std::string_view text, std::string_view where) {
  std::vector<VariableRule> variables;
  const auto failed = [&](unsigned line, const std::string& what) {
    return error(ErrorCode::usage, std::string(where) + ":" + std::to_string(line) + ": " + what);
  };
  if (text.size() > env_file_bytes_max) return failed(1, "larger than 1 MiB");
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // a byte order mark
  for (unsigned number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const std::string_view line = without_indent(without_line_end(text.substr(0, end)));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty() || line.front() == '#') continue;
    if (line.find('\0') != std::string_view::npos) return failed(number, "holds a NUL character");
    const auto equals = line.find('=');
    const std::string_view name = line.substr(0, equals);
    if (!is_variable_name(name)) return failed(number, complaint(name));
    if (variables.size() == env_file_variables_max) return failed(number, "more than 4096 variables");
    VariableRule rule{std::string(name), std::nullopt,
                      {OriginKind::flag, "--env-file " + std::string(where) + ":" + std::to_string(number)}};
    if (equals != std::string_view::npos) rule.value = std::string(line.substr(equals + 1));
    variables.push_back(std::move(rule));
  }
  return variables;
}

}  // namespace paddock
