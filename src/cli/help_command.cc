#include <fmt/core.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/messages.h"

namespace paddock {
namespace {

constexpr std::size_t help_column = 30;

void append_option(std::string& text, const std::string& spelled, std::string_view help) {
  std::string line = "  " + spelled;
  if (line.size() + 2 > help_column) text += line + "\n" + std::string(help_column, ' ');
  else text += line + std::string(help_column - line.size(), ' ');
  text.append(help).append("\n");
}

void append_sandbox_flags(std::string& text) {
  std::string_view group;
  for (const SandboxFlagRow& row : sandbox_flags()) {
    if (row.group != group) text += fmt::format("\n{}:\n", row.group);
    group = row.group;
    std::string spelled(row.name);
    if (row.value == FlagValue::required) spelled += fmt::format(" {}", row.value_name);
    if (row.value == FlagValue::optional) spelled += fmt::format("[={}]", row.value_name);
    for (const std::string_view alias : row.aliases) spelled += fmt::format(", {}", alias);
    append_option(text, spelled, row.help);
  }
}

}  // namespace

std::string short_help() {
  return "paddock runs coding agents, and any other command, in a sandbox.\n\n"
         "  paddock run claude            this directory, sandboxed, permission checks off\n"
         "  paddock run -- make test      any command\n"
         "  paddock explain               what the sandbox would hold\n"
         "  paddock help                  all commands\n";
}

std::string full_help() {
  std::string text = "paddock runs coding agents, and any other command, in a sandbox.\n\nusage: paddock COMMAND [OPTIONS] …\n\ncommands:\n";
  for (const CommandRow& command : commands()) append_option(text, std::string(command.name), command.summary);
  text += "\npaddock COMMAND --help shows the options of a command.\n\n"
          "exit codes: the command's own; 128+n for signal n; 124 time limit; 125 could not be started as asked;\n"
          "126 found but not executable; 127 not found; 2 usage; 1 the answer is no.\n";
  return text;
}

std::string help_of(const CommandRow& command) {
  std::string text = fmt::format("{}\n\nusage: paddock {} {}\n", command.summary, command.name, command.usage);
  if (!command.details.empty()) text += fmt::format("\n{}\n", command.details);
  text += "\noptions:\n";
  for (const OptionRow& row : command.options) {
    std::string spelled(row.name);
    if (row.value == FlagValue::required) spelled += fmt::format(" {}", row.value_name);
    if (!row.short_name.empty()) spelled += fmt::format(", {}", row.short_name);
    append_option(text, spelled, row.help);
  }
  append_option(text, "--help, -h", "this text");
  if (command.takes_sandbox_flags) append_sandbox_flags(text);
  return text;
}

Result<int> help_command(const Context&, const Arguments& arguments) {
  if (arguments.rest.empty()) {
    print_out(full_help());
    return 0;
  }
  const CommandRow* command = command_named(arguments.rest.front());
  if (command == nullptr) return error(ErrorCode::usage, "no command is called " + visible(arguments.rest.front()), "paddock help lists them");
  print_out(help_of(*command));
  return 0;
}

}  // namespace paddock
