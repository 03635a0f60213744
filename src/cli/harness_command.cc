#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/harness_report.h"
#include "cli/messages.h"
#include "cli/setup.h"

namespace paddock {
namespace {

constexpr std::string_view hint = "paddock harness list | show NAME | check [NAME]";

Result<Manifest> named(const Context& context, const std::string& id) {
  auto found = TRY(find_harness(id, manifest_reader(context)));
  if (found) return std::move(*found);
  std::vector<std::string> known;
  for (const ListedHarness& listed : list_harnesses(manifest_reader(context))) known.push_back(listed.id);
  const auto near = nearest(id, known);
  return error(ErrorCode::usage, fmt::format("no harness is called {}", visible(id)),
               near ? fmt::format("did you mean {}?", *near) : "paddock harness list names them");
}

Result<int> list(const Context& context, const Arguments& arguments) {
  std::vector<HarnessRow> rows;
  for (const ListedHarness& listed : list_harnesses(manifest_reader(context))) {
    if (!listed.manifest.ok()) {
      rows.push_back({listed.id, {}, {}, {}, listed.manifest.failure().message});
      continue;
    }
    const Manifest& harness = *listed.manifest;
    if (harness.bins.empty()) continue;  // any command
    const HarnessProgram program = find_program(context, harness);
    rows.push_back({harness.id, harness.display, harness.origin, program.is_installed() ? program.executable.found : "", {}});
  }
  print_out(arguments.has("--json") ? list_as_json(rows) : list_in_words(rows));
  return 0;
}

Result<int> show(const Context& context, const Arguments& arguments, const std::string& id) {
  const Manifest harness = TRY(named(context, id));
  print_out(arguments.has("--json") ? manifest_as_json(harness) : manifest_in_words(harness));
  return 0;
}

void ask(const Context& context, const BackendSettings& settings, HarnessCheck& check) {
  const Result<QuestionPlace> place = question_place(context, settings);
  if (!place) return check.problems.push_back(place.failure().message);
  check.version = ask_version(context, *check.harness, *place);
  check.flags = ask_flags(context, *check.harness, check.program, *place);
  const std::string version_limit = fmt::format("{} s", version_timeout_ms / 1000);
  if (check.version.answered == Answered::failed) check.problems.push_back("it does not say its version: " + check.version.problem);
  if (check.version.answered == Answered::too_slow) check.notes.push_back("it does not say its version within " + version_limit);
  if (check.flags.answered == Answered::failed) check.problems.push_back("it cannot be asked which options it knows: " + check.flags.problem);
  if (!check.flags.missing.empty()) check.problems.push_back("it does not know " + join(check.flags.missing, ", ") + ": what needs them is left out");
}

HarnessCheck checked(const Context& context, const BackendSettings& settings, const Manifest& harness) {
  HarnessCheck check;
  check.harness = &harness;
  if (harness.bins.empty()) return check;
  check.program = find_program(context, harness);
  check.state = look_at_state(context, harness);
  check.login = look_for_login(context, harness, check.state);
  const Executable& executable = check.program.executable;
  if (!check.program.is_installed()) check.problems.push_back(fmt::format("not installed: {}; see {}", executable.detail, harness.homepage));
  else if (executable.problem != ExecutableProblem::none) check.problems.push_back(executable.detail);
  if (check.program.is_installed() && executable.problem != ExecutableProblem::not_executable) ask(context, settings, check);
  return check;
}

Result<int> check_one(const Context& context, const Arguments& arguments, const std::string& id) {
  const Manifest harness = TRY(named(context, id));
  const BackendSettings settings = TRY(read_backend_settings(context));
  const HarnessCheck check = checked(context, settings, harness);
  print_out(arguments.has("--json") ? check_as_json(check) : check_in_words(check));
  return check.problems.empty() ? 0 : 1;
}

// Those that are installed, and the files that cannot be read.
Result<int> check_all(const Context& context, const Arguments& arguments) {
  const BackendSettings settings = TRY(read_backend_settings(context));
  std::vector<std::string> parts;
  bool is_fine = true;
  for (const ListedHarness& listed : list_harnesses(manifest_reader(context))) {
    if (!listed.manifest.ok()) {
      parts.push_back(arguments.has("--json") ? unreadable_as_json(listed.id, listed.manifest.failure().message)
                                              : fmt::format("{}\n  not fine       {}\n", visible(listed.id), visible_lines(listed.manifest.failure().message)));
      is_fine = false;
      continue;
    }
    if (listed.manifest->bins.empty() || !find_program(context, *listed.manifest).is_installed()) continue;
    const HarnessCheck check = checked(context, settings, *listed.manifest);
    is_fine = is_fine && check.problems.empty();
    parts.push_back(arguments.has("--json") ? check_as_json(check) : check_in_words(check));
  }
  print_out(arguments.has("--json") ? checks_as_json(parts) : parts.empty() ? "none of the known harnesses is installed\n" : join(parts, "\n"));
  return is_fine ? 0 : 1;
}

}  // namespace

Result<int> harness_command(const Context& context, const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.rest;
  if (words.size() == 1 && words[0] == "list") return list(context, arguments);
  if (words.size() == 2 && words[0] == "show") return show(context, arguments, words[1]);
  if (words.size() == 1 && words[0] == "check") return check_all(context, arguments);
  if (words.size() == 2 && words[0] == "check") return check_one(context, arguments, words[1]);
  return error(ErrorCode::usage, "harness needs: list, show NAME, or check [NAME]", std::string(hint));
}

}  // namespace paddock
