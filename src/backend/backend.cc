#include "backend/backend.h"

#include <algorithm>

#include "backend/bubblewrap.h"
#include "backend/declined.h"
#include "backend/unsandboxed.h"

namespace paddock {
namespace {

constexpr Backend table[] = {
    {"bubblewrap", probe_bubblewrap, lower_bubblewrap},
    {"native", decline_native, lower_declined},
    {"landlock", decline_landlock, lower_declined},
    {"docker", decline_docker, lower_declined},
    {"podman", decline_podman, lower_declined},
};

}  // namespace

std::span<const Backend> backends() { return table; }

const Backend* backend_named(std::string_view name) {
  const Backend* found = std::ranges::find(table, name, &Backend::name);
  return found == std::end(table) ? nullptr : found;
}

std::vector<std::string> backend_names() {
  std::vector<std::string> names{"auto"};
  for (const Backend& backend : table) names.emplace_back(backend.name);
  return names;
}

std::vector<Missing> unmet(const Plan& plan, const ProbeReport& report) {
  std::vector<Missing> all;
  if (!report.available) return report.missing;
  for (const Guarantee wanted : plan.required) {
    if (holds(report.held, wanted)) continue;
    const auto known = std::ranges::find(report.missing, name_of(wanted), &Missing::what);
    if (known != report.missing.end()) all.push_back(*known);
    else all.push_back({std::string(name_of(wanted)), "it does not hold: " + std::string(meaning_of(wanted)), {}});
  }
  return all;
}

}  // namespace paddock
