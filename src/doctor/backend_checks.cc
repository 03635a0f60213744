#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"
#include "doctor/checks.h"

namespace paddock::doctor {
namespace {

// What a person can ask of every start: its absence is worth a warning where the default does not need it.
constexpr Guarantee asked_often[] = {Guarantee::network_none, Guarantee::abstract_hidden, Guarantee::processes_hidden};

std::vector<Detail> details_of(const std::vector<Missing>& missing) {
  std::vector<Detail> all;
  for (const Missing& one : missing) all.push_back({one.what, one.why, one.fix});
  return all;
}

std::string named(const Guarantees& guarantees) {
  std::vector<std::string> names;
  for (const Guarantee guarantee : guarantees) names.emplace_back(name_of(guarantee));
  return join(names, " ");
}

std::string where(const BackendFacts& backend) {
  std::vector<std::string> parts;
  if (!backend.report.version.empty()) parts.push_back(backend.report.version);
  if (!backend.report.program.empty()) parts.push_back("at " + backend.report.program);
  return join(parts, " ");
}

Answer answer_of(const BackendFacts& backend, const std::string& profile) {
  const ProbeReport& report = backend.report;
  if (!backend.is_part) return skipped("not part of this version");
  if (!report.available) {
    const Missing first = report.missing.empty() ? Missing{"start", "it does not say why", ""} : report.missing.front();
    return failure(where(backend).empty() ? "not usable" : "not usable: " + where(backend), first.why, first.fix);
  }
  Answer answer = ok(where(backend));
  answer.details = details_of(report.missing);
  if (!backend.unmet.empty()) {
    answer = failure(where(backend), fmt::format("it does not hold what the profile {} needs: {}: {}", profile, backend.unmet.front().what, backend.unmet.front().why), backend.unmet.front().fix);
    answer.details = details_of(report.missing);
    return answer;
  }
  for (const Guarantee guarantee : asked_often) {
    const auto missing = std::ranges::find(report.missing, name_of(guarantee), &Missing::what);
    if (missing == report.missing.end() || answer.status == Status::warn) continue;
    answer.status = Status::warn;
    answer.cause = fmt::format("it cannot hold {}: {}", missing->what, missing->why);
    answer.fix = missing->fix;
  }
  return answer;
}

}  // namespace

Answers backend_default(const Facts& facts) {
  if (!facts.config_problem.empty()) return {failure("not known: the configuration cannot be used", facts.config_problem, "see config.user")};
  std::vector<std::string> reasons;
  for (const BackendFacts& backend : facts.backends) {
    if (!backend.is_listed || !backend.is_part) continue;
    if (backend.unmet.empty() && backend.report.available) return {ok(fmt::format("{} holds the default profile ({})", backend.name, facts.profile))};
    const std::vector<Missing>& why = backend.unmet.empty() ? backend.report.missing : backend.unmet;
    reasons.push_back(fmt::format("{}: {}", backend.name, why.empty() ? "it does not say why" : why.front().why));
  }
  std::string fix;
  for (const BackendFacts& backend : facts.backends) {
    if (fix.empty() && backend.is_listed && backend.is_part && !backend.unmet.empty()) fix = backend.unmet.front().fix;
  }
  return {failure(fmt::format("no backend holds the default profile ({}): no sandbox starts here", facts.profile), reasons.empty() ? "none is listed in [backends] order" : join(reasons, "; "), fix)};
}

Answers backend_each(const Facts& facts) {
  Answers answers;
  for (const BackendFacts& backend : facts.backends) {
    Answer answer = answer_of(backend, facts.profile);
    answer.member = backend.name;
    if (!backend.is_listed) answer.summary += " (not listed in [backends] order)";
    answer.facts = {{"available", backend.report.available ? "true" : "false"}, {"version", backend.report.version}, {"program", backend.report.program}, {"held", named(backend.report.held)}};
    answers.push_back(std::move(answer));
  }
  return answers;
}

}  // namespace paddock::doctor
