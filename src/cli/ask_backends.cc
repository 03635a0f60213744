#include "cli/ask_backends.h"

#include "base/text.h"
#include "plan/reach.h"
#include "sandbox/cgroup.h"

namespace paddock {
namespace {

std::vector<BackendLack> lacks(const std::vector<Missing>& missing) {
  std::vector<BackendLack> all;
  for (const Missing& one : missing) all.push_back({one.what, one.why, one.fix});
  return all;
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
