#include "backend/bubblewrap_argv.h"

#include <algorithm>

#include <fmt/core.h>

#include "backend/bubblewrap.h"
#include "base/text.h"

namespace paddock {
namespace {

constexpr int first_file = 3;
constexpr int kept_input = 9;

bool is_printable(char c) { return c >= 0x20 && c < 0x7F; }

// printf(1) with these bytes as its format: one line of printable ASCII. A leading "-" would be an option.
std::string printf_of(std::string_view bytes) {
  std::string format;
  for (const char c : bytes) {
    const bool is_option = format.empty() && c == '-';
    if (c == '%') format += "%%";
    else if (c == '\\') format += "\\\\";
    else if (c == '\n') format += "\\n";
    else if (is_printable(c) && c != '\'' && !is_option) format += c;
    else format += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return "printf '" + format + "'";
}

// One word for a line that is read on a terminal and pasted from it: what a terminal would obey or lose
// goes through printf. A command's output loses the line ends at its end; those stand by themselves.
std::string word(const std::string& text) {
  if (visible(text) == text) return shell_word(text);
  const std::size_t end = text.find_last_not_of('\n') + 1;
  std::string quoted = end == 0 ? "" : "\"$(" + printf_of(std::string_view(text).substr(0, end)) + ")\"";
  if (end != text.size()) quoted += "'" + text.substr(end) + "'";
  return quoted;
}

std::string assignment(const Variable& variable) {
  if (variable.source == ValueSource::literal) return word(variable.name + "=" + variable.value);
  return fmt::format("{}=\"${}\"", variable.name, variable.name);
}

std::vector<std::string> command_of(const Plan& plan) {
  if (!plan.command.empty()) return plan.command;
  const auto shell = std::ranges::find(plan.environment, "SHELL", &Variable::name);
  return {shell != plan.environment.end() && shell->source == ValueSource::literal ? shell->value : "/bin/sh"};
}

std::string bare_line(const Plan& plan, const std::string& program, const std::vector<std::string>& options) {
  std::string line = "env -i";
  for (const Variable& variable : plan.environment) {
    if (can_be_in_shell_line(variable)) line += " " + assignment(variable);
  }
  line += " " + word(program);
  for (const std::string& option : options) line += " " + word(option);
  line += " --";
  for (const std::string& argument : command_of(plan)) line += " " + word(argument);
  return line;
}

// Each file comes down a pipe of its own; the innermost command gets them all and the first standard input:
//   { printf A | { printf B | bwrap … 4<&0 0<&9 9<&-; } 3<&0; } 9<&0
std::string with_files(std::string line, const std::vector<std::string>& contents) {
  if (contents.empty()) return line;
  int file = first_file + static_cast<int>(contents.size()) - 1;
  line += fmt::format(" {}<&0 0<&{} {}<&-", file, kept_input, kept_input);
  line = printf_of(contents.back()) + " | " + line;
  for (std::size_t i = contents.size() - 1; i-- > 0;) line = fmt::format("{} | {{ {}; }} {}<&0", printf_of(contents[i]), line, --file);
  return fmt::format("{{ {}; }} {}<&0", line, kept_input);
}

// Nothing lies at a held name until a run has put a stand-in there.
Plan without_stand_ins(Plan plan) {
  std::erase_if(plan.mounts, [&](const Mount& mount) {
    return std::ranges::any_of(plan.absent, [&](const AbsentProtection& one) { return one.hold && one.path == mount.target; });
  });
  return plan;
}

}  // namespace

bool can_be_in_shell_line(const Variable& variable) {
  constexpr std::string_view digits = "0123456789";
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
  const std::string& name = variable.name;
  const bool has_a_dollar = !name.empty() && name.find_first_not_of(letters) == std::string::npos && digits.find(name.front()) == std::string_view::npos;
  return variable.source == ValueSource::literal || has_a_dollar;
}

Result<std::string> bubblewrap_shell_line(const LowerRequest& request) {
  const Plan plan = without_stand_ins(*request.plan);
  BubblewrapOptions made = bubblewrap_options(plan, request.empty_file, nullptr, first_file);
  TRY(check_count(made, plan));
  if (made.contents.size() > argv_files_max) {
    return error(ErrorCode::cannot_start, fmt::format("a shell line carries {} files of data, and this sandbox has {}", argv_files_max, made.contents.size()),
                 "paddock explain --json has them all");
  }
  // Here no control channel ends what is inside when the line's own process is killed.
  made.options.insert(made.options.begin(), "--die-with-parent");
  const auto directory = std::ranges::find(made.options, "--chdir");
  if (directory != made.options.end()) *std::next(directory) = plan.directory;
  return with_files(bare_line(plan, request.probe->program, made.options), made.contents);
}

}  // namespace paddock
