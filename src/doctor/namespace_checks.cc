#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/core.h>

#include "base/text.h"
#include "doctor/checks.h"

namespace paddock::doctor {
namespace {

const BackendFacts* available(const Facts& facts) {
  const auto found = std::ranges::find_if(facts.backends, [](const BackendFacts& backend) { return backend.report.available; });
  return found == facts.backends.end() ? nullptr : &*found;
}

// As launchers say it, so that one table of causes serves both.
std::string said_of(int error, std::string_view what) {
  return fmt::format("creating {} failed: {}{}", what, std::strerror(error), error == ENOSPC ? " (ENOSPC)" : "");
}

bool is_without(const BackendFacts& backend, Guarantee guarantee) { return backend.report.available && !holds(backend.report.held, guarantee); }

const Missing* why_missing(const BackendFacts& backend, Guarantee guarantee) {
  const auto found = std::ranges::find(backend.report.missing, name_of(guarantee), &Missing::what);
  return found == backend.report.missing.end() ? nullptr : &*found;
}

std::string sysctl(const Facts& facts, const std::string& name) {
  const auto found = facts.settings.sysctls.find(name);
  return found == facts.settings.sysctls.end() ? std::string() : found->second;
}

}  // namespace

Answers userns_allowed(const Facts& facts) {
  const BackendFacts* backend = available(facts);
  if (facts.namespaces.user == 0) return {ok("an ordinary program may make one")};
  if (backend != nullptr) return {ok(backend->name + " may make one, other programs may not")};
  const Missing why = explain_refusal(said_of(facts.namespaces.user, "a user namespace"), facts.settings);
  return {failure("refused", why.why, why.fix)};
}

Answers userns_kinds(const Facts& facts) {
  if (facts.namespaces.user != 0) return {skipped("without a user namespace there is no other")};
  Answer answer = ok("all kinds");
  for (const auto& [kind, error] : facts.namespaces.kinds) {
    if (error == 0) continue;
    const Missing why = explain_refusal(said_of(error, fmt::format("a {} namespace", kind)), facts.settings);
    // Without one of the network only --net off is refused, and cgroup namespaces are taken where they are to be had.
    const bool is_needed = kind != "net" && kind != "cgroup";
    answer.status = is_needed || answer.status == Status::fail ? Status::fail : Status::warn;
    answer.details.push_back({kind, why.why, why.fix});
  }
  if (answer.details.empty()) return {answer};
  std::vector<std::string> refused;
  for (const Detail& detail : answer.details) refused.push_back(detail.what);
  answer.summary = "refused: " + join(refused, ", ");
  answer.cause = answer.details.front().why;
  answer.fix = answer.details.front().fix;
  if (answer.details.size() == 1) answer.details.clear();
  return {answer};
}

Answers userns_proc(const Facts& facts) {
  const auto refused = std::ranges::find_if(facts.backends, [](const BackendFacts& backend) { return is_without(backend, Guarantee::processes_hidden); });
  if (refused != facts.backends.end()) {
    const Missing* why = why_missing(*refused, Guarantee::processes_hidden);
    if (why == nullptr) return {failure("a new /proc cannot be mounted", "the probe does not say why")};
    return {failure("a new /proc cannot be mounted", why->why, why->fix)};
  }
  if (available(facts) != nullptr) return {ok("a new one can be mounted")};
  if (facts.settings.covered_proc.empty()) return {ok("nothing covers a part of it")};
  return {warning("parts of /proc are covered", "where they are, the kernel refuses to mount a new one: " + join(facts.settings.covered_proc, ", "), unmask_hint(facts.settings.container))};
}

Answers userns_apparmor(const Facts& facts) {
  const std::string value = sysctl(facts, "kernel.apparmor_restrict_unprivileged_userns");
  if (value.empty() || value == "0") return {ok("no restriction")};
  if (const BackendFacts* backend = available(facts)) return {ok(fmt::format("restricted, and {} has a profile that allows it", backend->name))};
  const Missing why = explain_refusal({}, facts.settings);
  return {failure("restricted", "AppArmor takes privileges from user namespaces of programs without a profile", why.fix)};
}

Answers userns_filter(const Facts& facts) {
  if (!facts.settings.is_filtered) return {ok("no system call filter is over this process")};
  if (available(facts) != nullptr) return {ok("a system call filter is over this process, and lets sandboxes be made")};
  return {warning("a system call filter is over this process", "whoever started it (a container, a sandbox, a service) may refuse namespaces by it",
                  "start it outside, or have that filter allow clone, unshare, mount and pivot_root (docker run --security-opt seccomp=unconfined)")};
}

Answers userns_container(const Facts& facts) {
  if (facts.settings.container.empty()) return {ok("none known of")};
  const std::string summary = "this is a container: " + facts.settings.container;
  if (available(facts) != nullptr) return {ok(summary)};
  return {warning(summary, "containers often refuse what a sandbox is made of; the checks above say what", "let the container have user namespaces, or start Paddock outside")};
}

}  // namespace paddock::doctor
