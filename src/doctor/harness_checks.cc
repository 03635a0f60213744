#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"
#include "doctor/checks.h"

namespace paddock::doctor {
namespace {

bool is_signed_in(const HarnessFacts& harness) { return !harness.login_files.empty() || !harness.login_variables.empty(); }

std::string login_of(const HarnessFacts& harness) {
  if (!is_signed_in(harness)) return "no login found";
  std::vector<std::string> names = harness.login_files;
  names.insert(names.end(), harness.login_variables.begin(), harness.login_variables.end());
  return "login: " + join(names, ", ");
}

std::string visible_of(const HarnessFacts& harness) {
  std::vector<std::string> parts;
  for (const VisiblePath& path : harness.visible) parts.push_back(fmt::format("{} {}", path.path, path.access));
  return join(parts, ", ");
}

// Worst first: the first that is not fine is the answer's cause, the others stand in its details.
std::vector<Detail> faults_of(const HarnessFacts& harness) {
  std::vector<Detail> faults;
  switch (harness.program.problem) {
    case ExecutableProblem::none:
    case ExecutableProblem::not_found:
      break;
    case ExecutableProblem::not_executable:
    case ExecutableProblem::interpreter_missing:
      faults.push_back({"program", harness.program.detail, "install it again, or what it needs"});
      break;
    case ExecutableProblem::shim_unresolved:
      if (harness.program.needs.empty()) faults.push_back({"program", harness.program.detail, "choose a version with its version manager"});
      break;
  }
  if (!harness.plan_problem.empty()) faults.push_back({"sandbox", harness.plan_problem, ""});
  if (harness.version_heard == Heard::failed) faults.push_back({"version", "it does not run in a sandbox: " + harness.version_problem, fmt::format("paddock harness check {}", harness.id)});
  if (!harness.flags_missing.empty()) faults.push_back({"flags", "it does not know " + join(harness.flags_missing, ", "), "update it, or Paddock: what needs these is left out"});
  return faults;
}

std::string version_of(const HarnessFacts& harness) {
  if (harness.version_heard == Heard::too_slow) return "slow: no version within the time";
  return harness.version_heard == Heard::yes ? harness.version : "version not asked";
}

Answer answer_of(const HarnessFacts& harness) {
  if (!harness.unreadable.empty()) return failure("its manifest cannot be read", harness.unreadable, fmt::format("paddock harness check {}", harness.id));
  if (harness.program.problem == ExecutableProblem::not_found) return skipped("not installed");
  Answer answer = ok(fmt::format("{} {} at {}; {}", harness.display, version_of(harness), harness.program.found, login_of(harness)));
  const std::vector<Detail> faults = faults_of(harness);
  if (!faults.empty()) {
    const bool runs = faults.front().what == "flags";
    answer.status = runs ? Status::warn : Status::fail;
    answer.cause = faults.front().why;
    answer.fix = faults.front().fix;
    answer.details.assign(faults.begin() + 1, faults.end());
  } else if (harness.version_heard == Heard::too_slow) {
    answer.status = Status::warn;
    answer.cause = "it gave no answer within its time: the machine is busy, or it waits for something";
    answer.fix = fmt::format("paddock harness check {}", harness.id);
  }
  return answer;
}

}  // namespace

Answers harness_each(const Facts& facts) {
  Answers answers;
  for (const HarnessFacts& harness : facts.harnesses) {
    Answer answer = answer_of(harness);
    answer.member = harness.id;
    answer.facts = {{"installed", harness.program.found}, {"real", harness.program.real}, {"version", harness.version},
                    {"flags_missing", join(harness.flags_missing, " ")}, {"signed_in", is_signed_in(harness) ? "true" : "false"}, {"visible", visible_of(harness)}};
    answers.push_back(std::move(answer));
  }
  return answers;
}

}  // namespace paddock::doctor
