#include "cli/doctor_harnesses.h"

#include <algorithm>

#include "base/path.h"
#include "cli/harness_flags.h"
#include "cli/setup.h"

namespace paddock {
namespace {

using Facts = doctor::HarnessFacts;

doctor::Heard heard(Answered answered) {
  switch (answered) {
    case Answered::yes: return doctor::Heard::yes;
    case Answered::too_slow: return doctor::Heard::too_slow;
    case Answered::failed: return doctor::Heard::failed;
    case Answered::not_asked: break;
  }
  return doctor::Heard::not_asked;
}

// The deepest mount over a directory decides.
std::string access_of(const Plan& plan, const std::string& directory) {
  const Mount* holder = nullptr;
  for (const Mount& mount : plan.mounts) {
    if (path::is_within(directory, mount.target)) holder = &mount;
  }
  const bool is_shown = holder != nullptr && holder->kind == MountKind::bind;
  return !is_shown ? "hidden" : holder->access == MountAccess::read_write ? "rw" : "ro";
}

void look_inside(const Context& context, const std::string& workspace, const std::vector<StateFacts>& state, Facts& facts) {
  Result<Setup> setup = prepare(context, {}, {facts.id});
  if (!setup || workspace.empty()) return;
  setup->input.workspace = setup->input.directory = workspace;
  const Result<Plan> plan = resolve(setup->input, *context.host);
  if (!plan) {
    facts.plan_problem = plan.failure().message;
    return;
  }
  for (const StateFacts& one : state) {
    if (one.exists) facts.visible.push_back({one.place, access_of(*plan, context.host->real_path(one.place).value_or(one.place))});
  }
}

struct Looked {
  ListedHarness listed;
  HarnessProgram program;
};

Facts facts_of(const Context& context, const std::string& workspace, const Looked& looked) {
  Facts facts;
  facts.id = looked.listed.id;
  if (!looked.listed.manifest) {
    facts.unreadable = looked.listed.manifest.failure().message;
    return facts;
  }
  const Manifest& harness = *looked.listed.manifest;
  facts.display = harness.display;
  facts.program = looked.program.executable;
  if (!looked.program.is_installed()) return facts;
  const std::vector<StateFacts> state = look_at_state(context, harness);
  const LoginFacts login = look_for_login(context, harness, state);
  facts.login_files = login.files;
  facts.login_variables = login.variables;
  if (const auto missing = kept_unknown_flags(context, harness, looked.program.executable)) {
    facts.flags_heard = doctor::Heard::yes;
    facts.flags_missing = *missing;
  }
  look_inside(context, workspace, state, facts);
  return facts;
}

}  // namespace

std::vector<Facts> harness_facts(const Context& context, const BackendSettings& settings, const std::string& workspace, Kept kept) {
  std::vector<Looked> all;
  for (ListedHarness& listed : list_harnesses(manifest_reader(context))) {
    if (listed.manifest && listed.manifest->bins.empty()) continue;  // any command
    HarnessProgram program;
    if (listed.manifest) program = find_program(context, *listed.manifest);
    all.push_back({std::move(listed), std::move(program)});
  }
  std::vector<Facts> facts;
  std::vector<InstalledHarness> installed;
  std::vector<std::size_t> places;
  for (const Looked& looked : all) {
    facts.push_back(facts_of(context, workspace, looked));
    const bool can_run = looked.program.executable.problem == ExecutableProblem::none || looked.program.executable.problem == ExecutableProblem::shim_unresolved;
    if (!looked.listed.manifest || !looked.program.is_installed() || !can_run) continue;
    installed.push_back({&*looked.listed.manifest, &looked.program});
    places.push_back(facts.size() - 1);
  }
  const Result<QuestionPlace> place = question_place(context, settings);
  if (!place) return facts;  // no backend: its own check says so
  const std::vector<VersionFacts> versions = versions_of(context, *place, installed, kept);
  for (std::size_t i = 0; i < versions.size(); ++i) {
    Facts& one = facts[places[i]];
    one.version_heard = heard(versions[i].answered);
    one.version = versions[i].version;
    one.version_problem = versions[i].problem;
  }
  return facts;
}

}  // namespace paddock
