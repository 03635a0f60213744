#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include <fmt/core.h>

#include "backend/probe_cache.h"
#include "backend/unsandboxed.h"
#include "base/clock.h"
#include "base/path.h"
#include "base/spawn.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/messages.h"
#include "cli/wrapped_setup.h"
#include "sandbox/run.h"
#include "wrap/reply.h"
#include "wrap/store.h"

namespace paddock {
namespace {

constexpr std::string_view usual_marker = "paddock: not run";

struct StoredCommand {
  std::string path;
  std::vector<std::string> words;
};

// REF -- COMMAND…
Result<StoredCommand> stored_command(const Arguments& arguments) {
  const std::vector<std::string>& rest = arguments.rest;
  const bool is_whole = rest.size() >= 3 && rest[1] == "--" && !rest[2].empty();
  if (!is_whole) return error(ErrorCode::usage, "exec-plan needs a reference and a command", "start the argument vector as paddock wrap gave it");
  return StoredCommand{rest[0], {rest.begin() + 2, rest.end()}};
}

bool is_there(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

// This process becomes the command.
Error run_unconfined(const Context& context, const Context& outer, const WrapRequest& request, const std::vector<std::string>& words) {
  if (::chdir(request.cwd.c_str()) != 0) return system_error("cannot change to " + visible(request.cwd), errno);
  auto environment = outer.environment;
  for (const auto& [name, value] : request.environment) environment[name] = value;
  const Executable executable = context.host->find_executable(words.front(), environment["PATH"]);
  if (executable.problem == ExecutableProblem::not_found) return error(ErrorCode::not_found, visible(words.front()) + ": not found");
  UnsandboxedRequest unsandboxed{words, executable.found, {}};
  for (const auto& [name, value] : environment) unsandboxed.environment.push_back(name + "=" + value);
  const Launch launch = lower_unsandboxed(unsandboxed);
  return replace_process(launch.program, launch.argv, launch.environment);
}

Result<int> run_confined(const Context& context, const Wrapped& wrapped, const Setup& setup, const std::string& stored) {
  RunRequest request;
  request.make_plan = [&]() -> Result<Plan> {
    context.host->forget_answers();
    Plan plan = TRY(make_plan(context, setup));
    TRY(check_kept(wrapped, plan, is_there));
    return plan;
  };
  Plan plan = TRY(request.make_plan());

  // From here on the plan keeps what was promised when the command was wrapped.

  const ChosenBackend chosen = TRY(choose_backend(context, setup, plan));
  request.backend = chosen.backend;
  request.probe = &chosen.probe;
  request.host_environment = &context.environment;
  request.given = setup.given;
  request.warden = context.warden;
  request.state_directory = context.directories.state;
  Result<RunResult> result = run_plan(plan, request);
  if (!result && result.failure().code == ErrorCode::cannot_start) forget_probe(context.directories.state, chosen.backend->name);
  const RunResult ended = TRY(std::move(result));
  for (const std::string& finding : ended.findings) report_finding(findings_of(stored), write_finding(static_cast<std::uint64_t>(wall_clock().tv_sec), finding));
  return ended.exit_code;
}

Result<int> run_stored(const Context& outer, const StoredCommand& command) {
  const std::string text = TRY(load_wrapped(command.path));
  const Wrapped wrapped = TRY(read_wrapped(text));
  if (wrapped.uid != ::geteuid()) return error(ErrorCode::cannot_start, "this command was wrapped by another user", "wrap it again");
  const WrapContext surroundings(outer, wrapped.environment, wrapped.request.cwd);
  const Context& context = surroundings.get();
  if (wrapped_directory(context.directories.state) != path::parent(command.path)) {
    return error(ErrorCode::cannot_start, visible(command.path) + " was moved: it does not lie where it was stored", "wrap it again");
  }
  const WrappedSetup setup = TRY(wrapped_setup(context, wrapped.request, command.words));
  if (!setup.breaches.empty()) return error(ErrorCode::cannot_start, "the machine's ceiling forbids it now: " + setup.breaches.front(), "wrap it again with less");
  if (!setup.setup.sandboxed) return run_unconfined(context, outer, wrapped.request, command.words);
  return run_confined(context, wrapped, setup.setup, command.path);
}

}  // namespace

Result<int> exec_plan_command(const Context& context, const Arguments& arguments) {
  const StoredCommand command = TRY(stored_command(arguments));
  auto code = run_stored(context, command);
  if (code) return code;
  const std::string marker = arguments.has("--marker") ? arguments.value_of("--marker") : std::string(usual_marker);
  Error failure = std::move(code).failure();
  if (failure.code != ErrorCode::not_found && failure.code != ErrorCode::not_executable) failure.code = ErrorCode::cannot_start;
  print_marked(marker, failure);
  return exit_code_of(failure);
}

}  // namespace paddock
