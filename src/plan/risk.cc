#include "plan/risk.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"

namespace paddock {
namespace {

struct Secret {
  std::string_view path;  // below home
  std::string_view name;
  std::string_view what;
};

constexpr Secret secrets[] = {
    {".ssh", "grant_ssh_keys", "your SSH keys and known hosts"},
    {".gnupg", "grant_gnupg", "your GnuPG keys"},
    {".aws", "grant_cloud_credentials", "your AWS credentials"},
    {".azure", "grant_cloud_credentials", "your Azure credentials"},
    {".config/gcloud", "grant_cloud_credentials", "your Google Cloud credentials"},
    {".kube", "grant_cloud_credentials", "your Kubernetes credentials"},
    {".docker", "grant_registry_credentials", "your container registry credentials"},
    {".config/gh", "grant_forge_credentials", "your GitHub token"},
    {".config/glab-cli", "grant_forge_credentials", "your GitLab token"},
    {".git-credentials", "grant_forge_credentials", "your git passwords"},
    {".netrc", "grant_forge_credentials", "your network passwords"},
    {".npmrc", "grant_registry_credentials", "your npm token"},
    {".pypirc", "grant_registry_credentials", "your package index password"},
    {".password-store", "grant_password_store", "your password store"},
    {".local/share/keyrings", "grant_password_store", "your keyrings"},
    {".mozilla", "grant_browser_profile", "your browser profile with its cookies"},
    {".config/google-chrome", "grant_browser_profile", "your browser profile with its cookies"},
    {".config/chromium", "grant_browser_profile", "your browser profile with its cookies"},
};

// Below home: what starts by itself, or is on everybody's way.
constexpr std::string_view planted[] = {
    ".config/autostart", ".config/systemd", ".local/share/systemd", ".config/environment.d", ".ssh", ".gnupg", ".config/git", ".config/fish",
    ".bashrc", ".bash_profile", ".profile", ".zshrc", ".zshenv", ".zprofile", ".gitconfig", ".local/bin", "bin", ".cargo/bin", "go/bin",
};

bool overlaps(std::string_view a, std::string_view b) { return path::is_within(a, b) || path::is_within(b, a); }

Relaxation relaxation(std::string_view name, std::string reason, const GrantedPath& grant) { return {std::string(name), std::move(reason), grant.origin}; }

std::optional<Relaxation> socket_risk(const GrantedPath& grant) {
  const std::string name = path::name(grant.path);
  const std::string shown = visible(grant.path);
  if (name == "docker.sock" || name == "podman.sock" || name == "containerd.sock" || name == "crio.sock" || name == "buildkitd.sock") {
    return relaxation("grant_container_socket", shown + " gives root on this machine to whoever can talk to it", grant);
  }
  if (name == "bus" || name == "system_bus_socket" || grant.path.find("/dbus") != std::string::npos) {
    return relaxation("grant_dbus_socket", shown + " can start programs on the host outside the sandbox", grant);
  }
  if (grant.path.find("ssh") != std::string::npos || grant.path.find("agent") != std::string::npos || grant.path.find("gpg") != std::string::npos) {
    return relaxation("grant_agent_socket", shown + " signs with your keys for whoever can talk to it", grant);
  }
  return relaxation("grant_socket", shown + " is a socket of a program outside the sandbox", grant);
}

}  // namespace

std::optional<Relaxation> risk_of(const GrantedPath& grant, const RiskInput& input) {
  if (grant.kind == FileKind::socket) return socket_risk(grant);
  const std::string shown = visible(grant.path);
  if (grant.path == "/") return relaxation("grant_root", "the whole machine is granted", grant);
  if (path::is_within(input.home, grant.path)) {
    return relaxation("grant_home", shown + " holds your home directory with its keys, tokens and settings", grant);
  }
  for (const Secret& secret : secrets) {
    if (overlaps(grant.path, path::join(input.home, secret.path))) return relaxation(secret.name, fmt::format("{} holds {}", shown, secret.what), grant);
  }
  for (const std::string_view place : {"/run", "/var/run", "/tmp", "/dev", "/sys", "/proc", "/etc", "/var"}) {
    if (grant.path == place) return relaxation("grant_system_directory", shown + " holds sockets, devices or settings of the host", grant);
  }
  if (path::is_within(grant.path, "/run/user")) return relaxation("grant_runtime_directory", shown + " holds sockets of your session", grant);
  return std::nullopt;
}

Relaxation risk_of_world(const MountTable& table, const HostView& host, const std::string& home, const Origin& origin) {
  std::vector<std::string> seen;
  for (const Secret& secret : secrets) {
    const std::string place = path::join(home, secret.path);
    const std::string real = host.real_path(place).value_or(place);
    const FileKind kind = host.look(real).kind;
    if ((kind == FileKind::directory || kind == FileKind::file) && table.is_visible(real)) seen.push_back(fmt::format("~/{}", secret.path));
  }
  std::string reason = "everything on this machine that you can read is readable inside";
  if (!seen.empty()) reason += fmt::format(": {} among it; mask what is to stay hidden", join(seen, ", "));
  return {"world_host", std::move(reason), origin};
}

std::string refusal_of_state(const GrantedPath& directory, const RiskInput& input) {
  const auto risk = risk_of(directory, input);
  if (risk) return "it is not only the harness's: " + risk->reason;
  return refusal_of(directory, input);
}

std::string refusal_of(const GrantedPath& grant, const RiskInput& input) {
  for (const std::string& own : input.own_directories) {
    if (!own.empty() && path::is_within(grant.path, own)) return fmt::format("{} is Paddock's own directory", visible(grant.path));
  }
  if (grant.access != MountAccess::read_write) return {};
  for (const std::string_view place : {"/proc", "/sys", "/dev", "/boot", "/etc", "/usr", "/bin", "/sbin", "/lib", "/lib64"}) {
    if (path::is_within(grant.path, place)) return fmt::format("{} is the system's: it may be read, never written", visible(grant.path));
  }
  if (input.plants_allowed) return {};
  for (const std::string_view place : planted) {
    if (path::is_within(grant.path, path::join(input.home, place))) {
      return fmt::format("{} holds what you run outside the sandbox: a writable grant would let it be replaced", visible(grant.path));
    }
  }
  for (const std::string& entry : split(input.search_path, ':')) {
    if (path::is_absolute(entry) && path::normal(entry) == grant.path) {
      return fmt::format("{} is on your PATH: a writable grant would let programs that you run be replaced", visible(grant.path));
    }
  }
  return {};
}

}  // namespace paddock
