#include <unistd.h>

#include <algorithm>

#include <fmt/core.h>

#include "backend/bubblewrap_argv.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/ask_backends.h"
#include "cli/command.h"
#include "cli/messages.h"
#include "cli/setup.h"
#include "plan/explain.h"
#include "sandbox/coming_up.h"
#include "sandbox/run.h"

namespace paddock {
namespace {

Ink ink_of(const Context& context) {
  const auto value = [&](const char* name) {
    const auto found = context.environment.find(name);
    return found == context.environment.end() ? std::string() : found->second;
  };
  return ::isatty(1) == 1 && value("NO_COLOR").empty() && value("TERM") != "dumb" ? Ink::coloured : Ink::plain;
}

// What a start would warn about beyond the relaxations, or fail for.
std::vector<std::string> warnings_of(const Context& context, const Setup& setup, const Plan& plan, const Explanation& explanation) {
  std::vector<std::string> all = start_lines(setup);
  if (setup.harness->bins.empty() && !plan.command.empty()) {
    const Executable program = context.host->find_executable(plan.command.front(), probe_request(context, setup.backends).search_path);
    if (program.problem == ExecutableProblem::not_found) all.push_back(plan.command.front() + " is not on this machine's PATH: it would not start");
  }
  if (plan.network == NetworkMode::on && explanation.chosen && !holds(explanation.chosen->held, Guarantee::abstract_hidden)) {
    all.push_back("abstract_hidden: this kernel cannot hide the host's abstract sockets (an X server, for one) while the network is shared");
  }
  if (plan.network == NetworkMode::off && plan.hosted_model) all.push_back(fmt::format("the network is off, and {} needs a hosted model: it will not reach one", plan.harness));
  return all;
}

Result<int> print_argv(const Context& context, const Plan& plan, const AskedBackends& asked) {
  const Colour colour = context.colour ? Colour::yes : Colour::no;
  if (!asked.chosen) {
    return error(ErrorCode::answer_no, "no backend can hold this sandbox, so there is no command of one", "paddock explain says why");
  }
  LowerRequest lower;
  lower.plan = &plan;
  lower.probe = &asked.probe;
  lower.empty_file = TRY(empty_file_in(context.directories.state));
  print_out(TRY(bubblewrap_shell_line(lower)) + "\n");
  print_note("this is the backend alone; the warden adds the system call filter, Landlock, limits, the look at every mount and the terminal", colour);
  if (plan.user.real_root) {
    print_note("started by root, what this line runs is root to the kernel, with root's files as its own; a run takes another kernel id first and idmaps what it grants", colour);
  }
  if (!plan.seeds.empty()) print_note("a run makes the harness's first files before it starts; explain names them", colour);
  const bool holds_names = std::ranges::any_of(plan.absent, &AbsentProtection::hold);
  const bool has_all = std::ranges::all_of(plan.environment, can_be_in_shell_line);
  if (!has_all) print_note("variables whose names a shell cannot spell are left out", colour);
  if (holds_names) print_note("a run holds absent protected names by stand-ins; explain names them", colour);
  return 0;
}

Result<int> explain_without_sandbox(const Context& context, const Arguments& arguments, const Setup& setup) {
  Explanation explanation;
  explanation.unsandboxed_by = setup.unsandboxed_by;
  explanation.command = setup.input.command;
  if (!setup.harness->bins.empty()) explanation.command.insert(explanation.command.begin(), setup.harness->bins.front());
  explanation.warnings = start_lines(setup);
  if (arguments.has("--argv")) print_out(shell_words(explanation.command) + "\n");
  else print_out(arguments.has("--json") ? explain_as_json(explanation) : explain_in_words(explanation, ink_of(context)));
  return 0;
}

}  // namespace

Result<int> explain_command(const Context& context, const Arguments& arguments) {
  if (arguments.has("--json") && arguments.has("--argv")) return error(ErrorCode::usage, "--json and --argv exclude each other", "give one of them");
  Setup setup = TRY(prepare(context, arguments, arguments.rest));
  // A line can make no idmapped mounts: the one of real root is the one of a run without them, and says so.
  if (arguments.has("--argv") && context.host->user().real_root) {
    setup.input.policy.without.push_back({std::string(name_of(Guarantee::kernel_uid_unprivileged)), {OriginKind::flag, "--argv"}});
  }
  if (!setup.sandboxed) return explain_without_sandbox(context, arguments, setup);
  const Plan plan = TRY(make_plan(context, setup));
  AskedBackends asked = ask_backends(context, setup, plan);
  Explanation explanation;
  explanation.plan = &plan;
  explanation.chosen = asked.chosen;
  explanation.refused = asked.refused;
  if (arguments.has("--argv")) return print_argv(context, plan, asked);
  explanation.warnings = warnings_of(context, setup, plan, explanation);
  for (const std::string& warning : asked.probe.warnings) explanation.warnings.push_back(warning + "; another bwrap is used");
  print_out(arguments.has("--json") ? explain_as_json(explanation) : explain_in_words(explanation, ink_of(context)));
  return fits(explanation) ? 0 : 1;
}

}  // namespace paddock
