// Why a sandbox could not be started on this machine, and what changes that, from the kernel's own settings,
// what lies around us and what the launcher said. Used when a probe has failed, never on the warm path.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.h"
#include "backend/distribution.h"

namespace paddock {

// Facts that explain a refusal; every one may be unknown (absent, false, empty).
struct HostSettings {
  std::map<std::string, std::string> sysctls;  // "user.max_user_namespaces" -> "0"; those this kernel has
  std::string container;                       // "docker", "podman", "lxc", ...; empty: none that is known of
  std::vector<std::string> covered_proc;       // paths below /proc over which something is mounted
  bool is_filtered = false;                    // a system call filter is over us already
  Distribution distribution;
};

HostSettings read_host_settings();

// The settings that are read, by the names of sysctl(8).
std::vector<std::string> explaining_sysctls();

// Pure. `said` is the launcher's own message, or ours about it; it is part of the answer, made visible.
Missing explain_refusal(std::string_view said, const HostSettings& settings);

// Paths of mounts strictly below /proc, from the text of /proc/self/mountinfo (proc(5)). An automatic mount
// point of binfmt_misc hides nothing and is left out.
std::vector<std::string> covered_proc_of(std::string_view mountinfo);

// What unmasks /proc in that kind of container.
std::string unmask_hint(std::string_view container);

}  // namespace paddock
