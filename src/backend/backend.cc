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

// Through /proc/PID/root and its like lie all files of a process outside. Landlock closes them: a process in a
// domain may not look into one outside it (ptrace restrictions, landlock(7); from ABI 1 on).
bool shows_outer_processes(const Plan& plan) {
  return std::ranges::any_of(plan.mounts, [](const Mount& mount) { return mount.kind == MountKind::bind && mount.target == "/proc"; });
}

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
  if (shows_outer_processes(plan) && report.landlock_abi < 1 && holds(plan.required, Guarantee::files_hidden)) {
    all.push_back({std::string(name_of(Guarantee::files_hidden)), "without a /proc of its own only Landlock closes the files of processes outside, and this kernel has none",
                   "use a kernel with Landlock (5.13 or newer, \"landlock\" among its lsm=)"});
  }
  return all;
}

}  // namespace paddock
