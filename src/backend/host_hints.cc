#include "backend/host_hints.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include <fmt/core.h>

#include "base/file.h"
#include "base/text.h"

namespace paddock {
namespace {

struct Setting {
  std::string_view name;
  std::string_view refusing;  // the value that refuses
  std::string_view why;
  std::string_view fix;
};

constexpr std::string_view user_namespaces_off = "user.max_user_namespaces";
constexpr std::string_view apparmor_restriction = "kernel.apparmor_restrict_unprivileged_userns";

// In the order in which they explain a refusal that says nothing more.
constexpr Setting settings_known[] = {
    {user_namespaces_off, "0", "user namespaces are off on this machine (user.max_user_namespaces is 0)", "sudo sysctl -w user.max_user_namespaces=15000"},
    {"kernel.unprivileged_userns_clone", "0", "unprivileged user namespaces are off on this machine (kernel.unprivileged_userns_clone is 0)",
     "sudo sysctl -w kernel.unprivileged_userns_clone=1"},
    {apparmor_restriction, "1", "AppArmor restricts unprivileged user namespaces on this machine (kernel.apparmor_restrict_unprivileged_userns is 1)", ""},
    {"user.max_net_namespaces", "0", "network namespaces are off on this machine (user.max_net_namespaces is 0)", "sudo sysctl -w user.max_net_namespaces=15000"},
    {"user.max_pid_namespaces", "0", "pid namespaces are off on this machine (user.max_pid_namespaces is 0)", "sudo sysctl -w user.max_pid_namespaces=15000"},
    {"user.max_mnt_namespaces", "0", "mount namespaces are off on this machine (user.max_mnt_namespaces is 0)", "sudo sysctl -w user.max_mnt_namespaces=15000"},
    {"user.max_ipc_namespaces", "0", "ipc namespaces are off on this machine (user.max_ipc_namespaces is 0)", "sudo sysctl -w user.max_ipc_namespaces=15000"},
    {"user.max_uts_namespaces", "0", "uts namespaces are off on this machine (user.max_uts_namespaces is 0)", "sudo sysctl -w user.max_uts_namespaces=15000"},
};

std::string apparmor_fix(const Distribution& distribution) {
  // Ubuntu keeps a profile for bwrap beside those that it loads.
  if (distribution.id == "ubuntu") {
    return "sudo apt install apparmor-profiles && sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo systemctl reload apparmor";
  }
  return "install an AppArmor profile for bwrap, or: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

class Explanation {
 public:
  Explanation(std::string_view said, const HostSettings& settings) : said_(visible(trim(said))), settings_(settings) {}

  Missing explain() const {
    if (has(said_, "mount proc")) return because("mounting a new /proc was refused, as in a container that masks parts of its own" + covered(), unmask_hint(settings_.container));
    if (has(said_, "nknown option")) return because("this bubblewrap is too old", install_command(settings_.distribution, "bubblewrap") + " (0.7.0 or newer)");
    if (has(said_, "did not come up in")) return because("it gave no answer", "see whether it runs by itself, name another in [backends.bubblewrap] program, or give it longer: probe_timeout");
    if (has(said_, "seccomp") || has(said_, "Landlock")) return said_alone();
    if (has(said_, "ENOSPC") || has(said_, "No space left")) return limit_reached();
    if (const Setting* setting = first_refusing()) return of(*setting);
    if (has(said_, "loopback")) return because("its network namespace came up without a loopback" + filtered(), {});
    if (has(said_, "slave") || has(said_, "mount")) return because("mounting in its own mount namespace was refused" + filtered() + contained(), {});
    if (has(said_, "namespace")) return because("creating a namespace was refused" + filtered() + contained(), {});
    return said_alone();
  }

 private:
  Missing because(const std::string& why, std::string fix) const { return {"start", said_.empty() ? why : fmt::format("{}: {}", why, said_), std::move(fix)}; }

  Missing said_alone() const { return {"start", said_.empty() ? "it ended without a word" : said_, {}}; }

  Missing of(const Setting& setting) const {
    return because(std::string(setting.why), setting.name == apparmor_restriction ? apparmor_fix(settings_.distribution) : std::string(setting.fix));
  }

  bool refuses(const Setting& setting) const {
    const auto found = settings_.sysctls.find(std::string(setting.name));
    return found != settings_.sysctls.end() && found->second == setting.refusing;
  }

  const Setting* first_refusing() const {
    const auto found = std::ranges::find_if(settings_known, [&](const Setting& setting) { return refuses(setting); });
    return found == std::end(settings_known) ? nullptr : found;
  }

  // ENOSPC is said for limits alone (clone(2)); those of the namespaces around ours count too.
  Missing limit_reached() const {
    for (const Setting& setting : settings_known) {
      if (setting.name.starts_with("user.max_") && refuses(setting)) return of(setting);
    }
    return because("a limit on namespaces is reached, here or in a namespace around this one (user.max_*_namespaces), or they are nested too deep",
                   "sudo sysctl -w user.max_user_namespaces=15000");
  }

  std::string covered() const {
    constexpr std::size_t named_max = 4;
    if (settings_.covered_proc.empty()) return {};
    std::vector<std::string> named(settings_.covered_proc.begin(), settings_.covered_proc.begin() + static_cast<std::ptrdiff_t>(std::min(named_max, settings_.covered_proc.size())));
    return fmt::format(" (covered here: {}{})", visible(join(named, ", ")), named.size() < settings_.covered_proc.size() ? ", …" : "");
  }

  std::string filtered() const { return settings_.is_filtered ? "; a system call filter is over this process already" : ""; }
  std::string contained() const { return settings_.container.empty() ? "" : fmt::format("; this is a container ({})", visible(settings_.container)); }

  std::string said_;
  const HostSettings& settings_;
};

std::string content(const std::string& path) {
  constexpr std::size_t bytes_max = 1 << 20;
  auto text = read_file_if_any(path, bytes_max);
  return text && *text ? std::move(**text) : std::string();
}

// container(7) of systemd, and the marks of the two commonest engines.
std::string find_container() {
  if (const char* named = std::getenv("container"); named != nullptr && *named != '\0') return named;
  if (const std::string named(trim(content("/run/systemd/container"))); !named.empty()) return named;
  if (::access("/run/.containerenv", F_OK) == 0) return "podman";
  if (::access("/.dockerenv", F_OK) == 0) return "docker";
  return {};
}

// "Seccomp:\t2", proc(5).
bool has_filter(const std::string& status) { return has(status, "\nSeccomp:\t2"); }

}  // namespace

std::vector<std::string> explaining_sysctls() {
  std::vector<std::string> names;
  for (const Setting& setting : settings_known) names.emplace_back(setting.name);
  return names;
}

HostSettings read_host_settings() {
  HostSettings settings;
  for (std::string& name : explaining_sysctls()) {
    std::string place = name;
    std::ranges::replace(place, '.', '/');
    const std::string value(trim(content("/proc/sys/" + place)));
    if (!value.empty()) settings.sysctls.emplace(std::move(name), value);
  }
  settings.container = find_container();
  settings.covered_proc = covered_proc_of(content("/proc/self/mountinfo"));
  settings.is_filtered = has_filter(content("/proc/self/status"));
  settings.distribution = this_distribution();
  return settings;
}

Missing explain_refusal(std::string_view said, const HostSettings& settings) { return Explanation(said, settings).explain(); }

std::vector<std::string> covered_proc_of(std::string_view mountinfo) {
  std::vector<std::string> covered;
  for (const std::string& line : split(mountinfo, '\n')) {
    const std::vector<std::string> words = split(line, ' ');
    constexpr std::size_t mount_point = 4;
    if (words.size() <= mount_point || !words[mount_point].starts_with("/proc/") || words[mount_point] == "/proc/sys/fs/binfmt_misc") continue;
    if (std::ranges::find(covered, words[mount_point]) == covered.end()) covered.push_back(words[mount_point]);
  }
  return covered;
}

std::string unmask_hint(std::string_view container) {
  if (container == "docker") return "start the container with: docker run --security-opt systempaths=unconfined";
  if (container == "podman") return "start the container with: podman run --security-opt unmask=ALL";
  if (has(container, "kube")) return "set securityContext.procMount: Unmasked for the container";
  return "give the container an unmasked /proc (docker run --security-opt systempaths=unconfined, podman run --security-opt unmask=ALL)";
}

}  // namespace paddock
