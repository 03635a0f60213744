#include <unistd.h>

#include <utility>

#include <fmt/core.h>

#include "backend/backend.h"
#include "backend/probe_cache.h"
#include "backend/unsandboxed.h"
#include "base/spawn.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/harness_flags.h"
#include "cli/messages.h"
#include "cli/preflight.h"
#include "cli/setup.h"
#include "cli/start_plan.h"
#include "sandbox/run.h"

namespace paddock {
namespace {

Colour colour_of(const Context& context) { return context.colour ? Colour::yes : Colour::no; }

Executable started_program(const Context& context, const Plan& plan) {
  const auto search_path = context.environment.find("PATH");
  return context.host->find_executable(plan.command.front(), search_path == context.environment.end() ? "" : search_path->second);
}

Error without_sandbox(const Context& context, const Setup& setup) {
  print_danger(fmt::format("NO SANDBOX ({}): the command has everything that you have", setup.unsandboxed_by.where), colour_of(context));
  std::vector<std::string> command = setup.input.command;
  const auto search_path = context.environment.find("PATH");
  const std::string where = search_path == context.environment.end() ? "/usr/local/bin:/usr/bin:/bin" : search_path->second;
  Executable executable;
  if (setup.harness->bins.empty()) {
    executable = context.host->find_executable(command.front(), where);
  } else {
    for (const std::string& name : setup.harness->bins) {
      executable = context.host->find_executable(name, where);
      if (executable.problem != ExecutableProblem::not_found) break;
    }
    command.insert(command.begin(), setup.harness->bins.front());
  }
  if (executable.problem == ExecutableProblem::not_found) return error(ErrorCode::not_found, visible(command.front()) + ": not found");
  UnsandboxedRequest request;
  request.command = std::move(command);
  request.program = executable.found;
  auto environment = context.environment;
  for (const auto& [name, value] : setup.given) environment[name] = value;
  for (const auto& [name, value] : environment) request.environment.push_back(name + "=" + value);
  const Launch launch = lower_unsandboxed(request);
  return replace_process(launch.program, launch.argv, launch.environment);
}

}  // namespace

Result<int> start_plan(const Context& context, const Setup& setup) {
  const Colour colour = colour_of(context);
  for (const std::string& warning : start_lines(setup)) print_warning(warning, colour);
  if (!setup.sandboxed) return without_sandbox(context, setup);

  RunRequest request;
  // The first plan is of the same moment as its settings; each later one looks again.
  request.make_plan = [&, is_first = true]() mutable {
    if (!std::exchange(is_first, false)) context.host->forget_answers();
    return make_plan(context, setup);
  };
  Plan plan = TRY(request.make_plan());
  const ChosenBackend chosen = TRY(choose_backend(context, setup, plan));
  const Executable program = setup.harness->bins.empty() ? Executable{} : started_program(context, plan);
  if (TRY(check_harness_flags(context, setup, plan, chosen, program))) plan = TRY(request.make_plan());
  bool has_failed_preflight = false;
  if (const auto ask = needed_preflight(context, setup, chosen, plan, program)) {
    request.preflight = [&has_failed_preflight, ask](const Plan& fixed) {
      Result<void> answered = ask(fixed);
      has_failed_preflight = !answered.ok();
      return answered;
    };
  }
  request.announce = [&](const Plan& fixed) -> Result<void> {
    announce(context, fixed, chosen);
    return {};
  };
  request.backend = chosen.backend;
  request.probe = &chosen.probe;
  request.host_environment = &context.environment;
  request.given = setup.given;
  request.warden = context.warden;
  request.state_directory = context.directories.state;
  request.state_trees = [&] { return state_trees(*context.host, state_input(setup.input, context.host->user().home)); };
  Result<RunResult> result = run_plan(plan, request);
  if (!result && has_failed_preflight) return std::move(result).failure();  // it says why by itself
  if (!result) return explain_failure(context, setup, plan, chosen, std::move(result).failure());
  for (const std::string& finding : result->findings) print_warning(finding, colour);
  return result->exit_code;
}

void announce(const Context& context, const Plan& plan, const ChosenBackend& chosen) {
  const Colour colour = colour_of(context);
  for (const Relaxation& relaxation : plan.relaxations) {
    if (relaxation.name == "network_on") continue;  // stands in the status line
    print_warning(fmt::format("{}: {} ({})", relaxation.name, relaxation.reason, relaxation.origin.where), colour);
  }
  for (const std::string& warning : chosen.probe.warnings) print_warning(warning + "; another bwrap is used", colour);
  if (plan.network == NetworkMode::on && !holds(chosen.probe.held, Guarantee::abstract_hidden)) {
    print_warning("abstract_hidden: this kernel cannot hide the host's abstract sockets (an X server, for one) while the network is shared", colour);
  }
  if (plan.network == NetworkMode::off && plan.hosted_model) {
    print_warning(fmt::format("the network is off, and {} needs a hosted model: it will not reach one", plan.harness), colour);
  }
  if (::isatty(2) != 1) return;
  for (const std::string& note : plan.notes) print_note(note, colour);
  print_note(fmt::format("{} · {} · {} {} · network {}", chosen.backend->name, plan.profile, visible(plan.workspace), word_of(plan.workspace_access), word_of(plan.network)), colour);
}

Error explain_failure(const Context& context, const Setup& setup, const Plan& plan, const ChosenBackend& chosen, Error failure) {
  if (failure.code == ErrorCode::not_found && !plan.command.empty()) {
    const auto path = context.environment.find("PATH");
    const Executable there = context.host->find_executable(plan.command.front(), path == context.environment.end() ? "" : path->second);
    if (there.problem != ExecutableProblem::not_found) {
      failure.message += fmt::format(", although {} exists on the host", visible(there.found));
      failure.hint = "show it inside: --ro " + shell_word(there.real.empty() ? there.found : there.real);
    }
    return failure;
  }
  if (failure.code != ErrorCode::cannot_start) return failure;
  // What was found before may no longer hold: a fresh probe says what has changed, and the next start has it.
  forget_probe(context.directories.state, chosen.backend->name);
  failure.message += reasons_of(chosen.backend->name, unmet(plan, chosen.backend->probe(probe_request(context, setup.backends))));
  failure.message += fmt::format("\n  {}: type {}, profile {}, workspace {}, network {}", "tried", chosen.backend->name, plan.profile, visible(plan.workspace), word_of(plan.network));
  if (failure.hint.empty()) failure.hint = "paddock explain shows the sandbox; --no-sandbox runs without one";
  return failure;
}

Result<int> run_command(const Context& context, const Arguments& arguments) {
  if (arguments.rest.empty()) return error(ErrorCode::usage, "no command to run", "paddock run claude, or: paddock run -- COMMAND [ARGS…]");
  return start_plan(context, TRY(prepare(context, arguments, arguments.rest)));
}

}  // namespace paddock
