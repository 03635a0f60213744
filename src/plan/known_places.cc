#include "plan/known_places.h"

#include <algorithm>

#include "base/text.h"

namespace paddock {
namespace {

constexpr KnownPlace secrets[] = {
    {".ssh", "grant_ssh_keys", "your SSH keys and known hosts"},
    {".gnupg", "grant_gnupg", "your GnuPG keys"},
    {".aws", "grant_cloud_credentials", "your AWS credentials"},
    {".azure", "grant_cloud_credentials", "your Azure credentials"},
    {".config/gcloud", "grant_cloud_credentials", "your Google Cloud credentials"},
    {".kube", "grant_cloud_credentials", "your Kubernetes credentials"},
    {".terraform.d", "grant_cloud_credentials", "your Terraform credentials"},
    {".docker", "grant_registry_credentials", "your container registry credentials"},
    {".config/containers", "grant_registry_credentials", "your container registry credentials"},
    {".npmrc", "grant_registry_credentials", "your npm token"},
    {".pypirc", "grant_registry_credentials", "your package index password"},
    {".cargo/credentials.toml", "grant_registry_credentials", "your crates token"},
    {".config/gh", "grant_forge_credentials", "your GitHub token"},
    {".config/glab-cli", "grant_forge_credentials", "your GitLab token"},
    {".git-credentials", "grant_forge_credentials", "your git passwords"},
    {".config/git/credentials", "grant_forge_credentials", "your git passwords"},
    {".netrc", "grant_forge_credentials", "your network passwords"},
    {".password-store", "grant_password_store", "your password store"},
    {".local/share/keyrings", "grant_password_store", "your keyrings"},
    {".local/share/kwalletd", "grant_password_store", "your wallet"},
    {".config/1Password", "grant_password_store", "your password manager's state"},
    {".mozilla", "grant_browser_profile", "your browser profile with its cookies"},
    {".config/google-chrome", "grant_browser_profile", "your browser profile with its cookies"},
    {".config/chromium", "grant_browser_profile", "your browser profile with its cookies"},
    {".config/BraveSoftware", "grant_browser_profile", "your browser profile with its cookies"},
};

constexpr std::string_view cache = "grant_tool_cache";
constexpr KnownPlace tool_caches[] = {
    {".npm", cache, "npm's cache"},
    {".cache/pip", cache, "pip's cache"},
    {".cache/uv", cache, "uv's cache"},
    {".cache/pypoetry", cache, "poetry's cache"},
    {".cargo/registry", cache, "cargo's registry"},
    {".cargo/git", cache, "cargo's checkouts"},
    {".rustup", cache, "rustup's toolchains"},
    {"go/pkg", cache, "Go's module cache"},
    {".cache/go-build", cache, "Go's build cache"},
    {".gradle", cache, "Gradle's caches"},
    {".m2", cache, "Maven's repository"},
    {".ivy2", cache, "Ivy's cache"},
    {".cache/yarn", cache, "yarn's cache"},
    {".yarn", cache, "yarn's cache"},
    {".local/share/pnpm", cache, "pnpm's store"},
    {".pnpm-store", cache, "pnpm's store"},
    {".bun", cache, "bun's cache"},
    {".cache/deno", cache, "deno's cache"},
    {".gem", cache, "gems"},
    {".nuget", cache, "NuGet's packages"},
    {".conda", cache, "conda's packages"},
    {".cache/bazel", cache, "bazel's cache"},
    {".ccache", cache, "ccache's objects"},
    {".cache/ccache", cache, "ccache's objects"},
};

constexpr std::string_view container = "grant_container_socket";
constexpr std::string_view root_for_all = "gives root on this machine to whoever can talk to it";
constexpr std::string_view signs = "signs with your keys for whoever can talk to it";
constexpr std::string_view starts = "can start programs on the host outside the sandbox";
constexpr std::string_view types = "can type into your terminals and editors on the host";
constexpr std::string_view screen = "can read what you type and type for you";

constexpr KnownSocket sockets[] = {
    {"/**/docker.sock", container, root_for_all},
    {"/**/podman.sock", container, root_for_all},
    {"/**/containerd.sock", container, root_for_all},
    {"/**/crio.sock", container, root_for_all},
    {"/**/buildkitd.sock", container, root_for_all},
    {"/**/lxd/unix.socket", container, root_for_all},
    {"/**/incus/unix.socket", container, root_for_all},
    {"/**/libvirt-sock", container, root_for_all},
    {"/**/snapd.socket", container, root_for_all},
    {"/**/bus", "grant_dbus_socket", starts},
    {"/**/system_bus_socket", "grant_dbus_socket", starts},
    {"/**/dbus*/**", "grant_dbus_socket", starts},
    {"/**/systemd/private", "grant_dbus_socket", starts},
    {"/**/systemd/io.systemd.*", "grant_dbus_socket", starts},
    {"/**/.overmind.sock", "grant_dbus_socket", starts},
    {"/**/S.gpg-agent*", "grant_agent_socket", signs},
    {"/**/gnupg/**", "grant_agent_socket", signs},
    {"/**/ssh-*/agent.*", "grant_agent_socket", signs},
    {"/**/*ssh*agent*", "grant_agent_socket", signs},
    {"/**/*ssh*agent*/**", "grant_agent_socket", signs},
    {"/**/.ssh/**", "grant_agent_socket", signs},
    {"/**/keyring/*", "grant_agent_socket", signs},
    {"/**/agent.sock", "grant_agent_socket", signs},
    {"/**/tmux-*/*", "grant_terminal_socket", types},
    {"/**/screen/**", "grant_terminal_socket", types},
    {"/**/emacs*/server", "grant_terminal_socket", types},
    {"/**/nvim*", "grant_terminal_socket", types},
    {"/**/vscode-*.sock", "grant_terminal_socket", types},
    {"/**/kitty*", "grant_terminal_socket", types},
    {"/**/.X11-unix/*", "grant_display_socket", screen},
    {"/**/wayland-*", "grant_display_socket", screen},
    {"/**", "grant_socket", "belongs to a program outside the sandbox, which does what it is told there"},
};

}  // namespace

std::span<const KnownPlace> secret_places() { return secrets; }
std::span<const KnownPlace> tool_cache_places() { return tool_caches; }

const KnownSocket& known_socket(const std::string& path) {
  return *std::ranges::find_if(sockets, [&](const KnownSocket& one) { return path_matches(one.pattern, path) || &one == &std::end(sockets)[-1]; });
}

}  // namespace paddock
