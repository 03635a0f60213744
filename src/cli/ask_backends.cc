#include "cli/ask_backends.h"

#include "base/text.h"
#include "plan/reach.h"
#include "sandbox/cgroup.h"
#include "sandbox/stage.h"

namespace paddock {
namespace {

std::vector<BackendLack> lacks(const std::vector<Missing>& missing) {
  std::vector<BackendLack> all;
  for (const Missing& one : missing) all.push_back({one.what, one.why, one.fix});
  return all;
}

// Started by root: whether the sources can be shown to a payload that is nobody to the kernel.
std::optional<BackendLack> stage_lack(const Plan& plan, const ProbeReport& report) {
  if (!drops_kernel_uid(plan.user)) return std::nullopt;
  const Result<Stage> stage = make_stage({&plan, {}, report.program, AbsentSource::skip});
  if (stage) return std::nullopt;
  return BackendLack{std::string(name_of(Guarantee::kernel_uid_unprivileged)), stage.failure().message, stage.failure().hint};
}

}  // namespace

AskedBackends ask_backends(const Context& context, const Setup& setup, const Plan& plan) {
  AskedBackends asked;
  ProbeRequest request = probe_request(context, setup.backends);
  request.limits = probe_limits(plan.limits, plan.user.real_root);
  for (const Backend* backend : candidates(setup)) {
    ProbeReport report = backend->probe(request);
    BackendFacts facts{std::string(backend->name), report.version, report.program, report.held, lacks(report.missing), lacks(unmet(plan, report))};
    if (facts.unmet.empty() && can_be_replaced(plan, *context.host, report.program)) {
      facts.unmet.push_back({"start", visible(report.program) + " lies where this sandbox can write", "use one outside the project"});
    }
    if (facts.unmet.empty()) {
      if (auto lack = stage_lack(plan, report)) facts.unmet.push_back(std::move(*lack));
    }
    if (!facts.unmet.empty()) {
      asked.refused.push_back(std::move(facts));
      continue;
    }
    asked.chosen = std::move(facts);
    asked.probe = std::move(report);
    asked.backend = backend;
    break;
  }
  return asked;
}

}  // namespace paddock
