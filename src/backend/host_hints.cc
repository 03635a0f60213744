#include "backend/host_hints.h"

#include <fmt/core.h>

#include "base/file.h"
#include "base/text.h"

namespace paddock {
namespace {

std::string setting(const std::string& path) {
  auto text = read_file_if_any(path, 4096);
  return text && *text ? std::string(trim(**text)) : std::string();
}

bool is_like(const std::string& release, std::string_view word) { return release.find(word) != std::string::npos; }

struct Setting {
  const char* path;
  const char* value;  // that refuses
  const char* why;
  const char* fix;
};

constexpr Setting settings[] = {
    {"/proc/sys/user/max_user_namespaces", "0", "user namespaces are off on this machine (user.max_user_namespaces is 0)", "sudo sysctl -w user.max_user_namespaces=15000"},
    {"/proc/sys/kernel/unprivileged_userns_clone", "0", "unprivileged user namespaces are off on this machine (kernel.unprivileged_userns_clone is 0)",
     "sudo sysctl -w kernel.unprivileged_userns_clone=1"},
    {"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "AppArmor restricts unprivileged user namespaces on this machine",
     "install an AppArmor profile for bwrap, or: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"},
    {"/proc/sys/user/max_net_namespaces", "0", "network namespaces are off on this machine (user.max_net_namespaces is 0)", "sudo sysctl -w user.max_net_namespaces=15000"},
    {"/proc/sys/user/max_pid_namespaces", "0", "pid namespaces are off on this machine (user.max_pid_namespaces is 0)", "sudo sysctl -w user.max_pid_namespaces=15000"},
    {"/proc/sys/user/max_mnt_namespaces", "0", "mount namespaces are off on this machine (user.max_mnt_namespaces is 0)", "sudo sysctl -w user.max_mnt_namespaces=15000"},
};

}  // namespace

std::string install_hint(std::string_view package) {
  const std::string release = setting("/etc/os-release");
  std::vector<std::string> ways{fmt::format("sudo apt install {}", package), fmt::format("sudo dnf install {}", package), fmt::format("sudo pacman -S {}", package)};
  // This distribution's own way first; the others for whoever helps somebody else.
  const bool is_red_hat = is_like(release, "fedora") || is_like(release, "rhel");
  if (is_red_hat) std::swap(ways[0], ways[1]);
  else if (is_like(release, "ID=arch")) std::swap(ways[0], ways[2]);
  return join(ways, "  |  ");
}

Missing explain_refusal(std::string_view said) {
  const std::string message = visible(trim(said));
  for (const Setting& known : settings) {
    if (setting(known.path) == known.value) return {"start", fmt::format("{}: {}", known.why, message), known.fix};
  }
  if (message.find("proc") != std::string::npos) {
    return {"start", "a new /proc cannot be mounted here, as in a container that masks parts of its own: " + message,
            "run the container with an unmasked /proc (docker run --security-opt systempaths=unconfined)"};
  }
  return {"start", message.empty() ? "it ended without a word" : message, {}};
}

}  // namespace paddock
