#include "cli/harness_question.h"

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "cli/setup.h"

namespace paddock {
namespace {

Result<Policy> question_policy() {
  const Origin origin{OriginKind::built_in, "a question to the program"};
  Policy policy = TRY(load_profile("strict", {}));
  policy.filesystem.workspace.state(WorkspaceAccess::read_only, origin);
  policy.filesystem.dotfiles.state(Dotfiles::none, origin);
  policy.filesystem.caches.state(Caches::none, origin);
  policy.network.state(NetworkMode::off, origin);
  policy.credentials.state(CredentialMode::none, origin);
  policy.permissions.state(Permissions::ask, origin);
  return policy;
}

// The program alone: none of the additions, no state, only the variables that its manifest sets. The workspace is a place that every sandbox shows.
Result<Plan> question_plan(const Context& context, const Manifest& harness, const std::vector<std::string>& words) {
  Manifest asked;
  asked.id = harness.id;
  asked.display = harness.display;
  asked.homepage = harness.homepage;
  asked.bins = harness.bins;
  asked.environment_set = harness.environment_set;
  ResolveInput input;
  input.policy = TRY(question_policy());
  input.profile = "strict";
  input.harness = &asked;
  input.command = words;
  input.workspace = "/usr";
  input.directory = "/usr";
  input.environment = context.environment;
  input.state_directory = context.directories.state;
  input.cache_directory = path::join(context.directories.cache, "tools");
  input.own_directories = {context.directories.config, context.directories.data};
  return resolve(input, *context.host);
}

std::string reasons_of(const Backend& backend, const std::vector<Missing>& missing) {
  std::string all;
  for (const Missing& one : missing) all += fmt::format("\n  {}: {}: {}", backend.name, one.what, one.why);
  return all;
}

std::vector<const Backend*> in_order(const BackendSettings& settings) {
  std::vector<const Backend*> all;
  for (const std::string& name : settings.order.value) {
    if (const Backend* backend = backend_named(name)) all.push_back(backend);
  }
  if (!settings.order.stated) {
    for (const Backend& backend : backends()) all.push_back(&backend);
  }
  return all;
}

}  // namespace

Result<QuestionPlace> question_place(const Context& context, const BackendSettings& settings) {
  Manifest any;  // what a backend must hold does not depend on the program
  const Plan plan = TRY(question_plan(context, any, {"true"}));
  const ProbeRequest request = probe_request(context, settings);
  std::string reasons;
  for (const Backend* backend : in_order(settings)) {
    ProbeReport report = backend->probe(request);
    const std::vector<Missing> missing = unmet(plan, report);
    if (missing.empty()) return QuestionPlace{backend, std::move(report)};
    reasons += reasons_of(*backend, missing);
  }
  return error(ErrorCode::cannot_start, "no backend can hold the sandbox in which programs are asked:" + reasons, "mend one of these");
}

Result<Captured> ask_program(const Context& context, const QuestionPlace& place, const Question& question) {
  const Plan plan = TRY(question_plan(context, *question.harness, question.words));
  return capture({&plan, place.backend, &place.probe, context.warden, context.directories.state, question.timeout_ms});
}

std::vector<Result<Captured>> ask_programs(const Context& context, const QuestionPlace& place, std::span<const Question> questions) {
  std::vector<Result<Plan>> plans;
  std::vector<CaptureRequest> requests;
  for (const Question& question : questions) plans.push_back(question_plan(context, *question.harness, question.words));
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (plans[i]) requests.push_back({&*plans[i], place.backend, &place.probe, context.warden, context.directories.state, questions[i].timeout_ms});
  }
  std::vector<Result<Captured>> captured = capture_together(requests);
  std::vector<Result<Captured>> all;
  for (std::size_t i = 0, next = 0; i < questions.size(); ++i) {
    if (plans[i]) all.push_back(std::move(captured[next++]));
    else all.emplace_back(plans[i].failure());
  }
  return all;
}

}  // namespace paddock
