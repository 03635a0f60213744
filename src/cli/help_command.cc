#include <fmt/core.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/manual.h"
#include "cli/messages.h"
#include "cli/offers.h"

namespace paddock {
namespace {

constexpr std::size_t help_column = 30;

void append_option(std::string& text, const std::string& spelled, std::string_view help) {
  std::string line = "  " + spelled;
  if (line.size() + 2 > help_column) text += line + "\n" + std::string(help_column, ' ');
  else text += line + std::string(help_column - line.size(), ' ');
  text.append(help).append("\n");
}

// "--net MODE, --sandbox-net", "--sandbox[=TYPE]"
std::string spelled(const OfferedOption& option) {
  std::string text = option.names.front();
  if (option.value == FlagValue::required) text += " " + option.value_name;
  if (option.value == FlagValue::optional) text += "[=" + option.value_name + "]";
  for (std::size_t i = 1; i < option.names.size(); ++i) text += ", " + option.names[i];
  return text;
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
  std::string group;
  for (const OfferedOption& option : offered_options(command)) {
    if (option.group != group) text += fmt::format("\n{}:\n", option.group);
    group = option.group;
    append_option(text, spelled(option), option.help);
  }
  return text;
}

Result<int> help_command(const Context&, const Arguments& arguments) {
  const bool as_manual = arguments.has("--man");
  if (arguments.rest.empty()) {
    print_out(as_manual ? manual() : full_help());
    return 0;
  }
  const CommandRow* command = command_named(arguments.rest.front());
  if (command == nullptr) return error(ErrorCode::usage, "no command is called " + visible(arguments.rest.front()), "paddock help lists them");
  print_out(as_manual ? manual_of(*command) : help_of(*command));
  return 0;
}

}  // namespace paddock
