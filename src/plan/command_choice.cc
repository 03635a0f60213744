#include "plan/command_choice.h"

#include <fmt/core.h>

#include "base/text.h"

namespace paddock {
namespace {

Result<void> find_harness(const ResolveInput& input, const HostView& host, CommandChoice& choice) {
  for (const std::string& name : input.harness->bins) {
    choice.executable = host.find_executable(name, choice.search_path);
    if (choice.executable.problem != ExecutableProblem::not_found) break;
  }
  if (choice.executable.problem == ExecutableProblem::not_found) {
    return error(ErrorCode::not_found, fmt::format("{} is not installed: no {} on PATH", input.harness->display, join(input.harness->bins, ", ")),
                 input.harness->homepage.empty() ? "" : "see " + input.harness->homepage);
  }
  choice.command.insert(choice.command.begin(), choice.executable.program);
  return {};
}

// Skip-permissions goes in exactly when the launch is confined, and a plan is only made for those.
void add_arguments(const ResolveInput& input, const std::string& directory, std::vector<std::string>& command) {
  if (command.empty()) return;
  std::vector<Addition> additions;
  const auto append = [&](const std::vector<Addition>& more) {
    for (const Addition& addition : more) additions.push_back(at_directory(addition, directory));
  };
  if (input.policy.permissions.value == Permissions::skip) append(input.harness->skip_permissions);
  append(input.harness->inner_sandbox_off);
  append(input.harness->confined);
  const std::vector<std::string> given(command.begin() + 1, command.end());
  std::vector<std::string> arguments = with_additions(additions, given);
  command.resize(1);
  command.insert(command.end(), arguments.begin(), arguments.end());
}

Result<void> check_executable(const Executable& executable, const std::vector<std::string>& command) {
  if (command.empty()) return {};
  const std::string name = visible(command.front());
  switch (executable.problem) {
    case ExecutableProblem::none:
    case ExecutableProblem::shim_unresolved:
    case ExecutableProblem::not_found:
      return {};
    case ExecutableProblem::not_executable:
      return error(ErrorCode::not_executable, name + " cannot be executed: " + executable.detail, "check its permissions: chmod +x");
    case ExecutableProblem::interpreter_missing:
      return error(ErrorCode::not_found, name + " " + executable.detail, "install what it needs");
  }
  return {};
}

}  // namespace

Result<CommandChoice> choose_command(const ResolveInput& input, const HostView& host, const std::string& directory) {
  CommandChoice choice;
  const auto path = input.environment.find("PATH");
  choice.search_path = path == input.environment.end() ? "/usr/local/bin:/usr/bin:/bin" : path->second;
  choice.command = input.command;
  if (!input.harness->bins.empty()) TRY(find_harness(input, host, choice));
  else if (!input.command.empty()) choice.executable = host.find_executable(input.command.front(), choice.search_path);
  // A shim needs its manager: what it would run is started in its place.
  const bool is_shim = !choice.executable.program.empty() && choice.executable.program != choice.executable.found;
  if (is_shim && !choice.command.empty()) choice.command.front() = choice.executable.program;
  add_arguments(input, directory, choice.command);
  if (!input.only_named) TRY(check_executable(choice.executable, input.command));  // there the start itself answers
  return choice;
}

}  // namespace paddock
