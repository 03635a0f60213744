// A command of the command line: a row of data and one function.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cli/context.h"

namespace paddock {

struct CommandRow {
  std::string_view name;
  std::string_view usage;    // after "paddock NAME"
  std::string_view summary;  // one line
  std::string_view details;  // paragraphs for its own help
  std::span<const OptionRow> options;
  bool takes_sandbox_flags = false;
  Rest rest = Rest::words;
  // The exit code. Errors are printed by the caller.
  Result<int> (*run)(const Context& context, const Arguments& arguments);
};

// The visible table.
std::span<const CommandRow> commands();
const CommandRow* command_named(std::string_view name);

std::string short_help();
std::string full_help();
std::string help_of(const CommandRow& command);

// The commands, each in a file of its own.
Result<int> run_command(const Context& context, const Arguments& arguments);
Result<int> shell_command(const Context& context, const Arguments& arguments);
Result<int> explain_command(const Context& context, const Arguments& arguments);
Result<int> config_command(const Context& context, const Arguments& arguments);
Result<int> trust_command(const Context& context, const Arguments& arguments);
Result<int> wrap_command(const Context& context, const Arguments& arguments);
Result<int> exec_plan_command(const Context& context, const Arguments& arguments);
Result<int> profile_command(const Context& context, const Arguments& arguments);
Result<int> harness_command(const Context& context, const Arguments& arguments);
Result<int> completion_command(const Context& context, const Arguments& arguments);
Result<int> doctor_command(const Context& context, const Arguments& arguments);
Result<int> help_command(const Context& context, const Arguments& arguments);
Result<int> version_command(const Context& context, const Arguments& arguments);

}  // namespace paddock
