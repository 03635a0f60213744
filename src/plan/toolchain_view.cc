#include "plan/toolchain_view.h"

#include "base/path.h"
#include "plan/system_view.h"

namespace paddock {
namespace {

constexpr std::string_view listed_dotfiles[] = {
    ".bashrc", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".inputrc", ".vimrc", ".vim", ".editorconfig", ".tmux.conf", ".gdbinit",
    ".clang-format", ".config/nvim", ".config/fish/config.fish", ".config/starship.toml", ".config/bat", ".config/ripgrep", ".ripgreprc",
    ".rustfmt.toml", ".tool-versions", ".config/mise/config.toml", ".nvmrc", ".python-version", ".bundle/config.d", ".dircolors",
};

struct ToolCache {
  std::string_view place;  // below home
  std::string_view name;   // below Paddock's cache directory
};

constexpr ToolCache tool_caches[] = {
    {".npm", "npm"}, {".cache/pnpm", "pnpm"}, {".cache/yarn", "yarn"}, {".cargo/registry", "cargo-registry"}, {".cargo/git", "cargo-git"},
    {"go/pkg/mod", "go-mod"}, {".cache/go-build", "go-build"}, {".cache/pip", "pip"}, {".cache/uv", "uv"}, {".cache/pre-commit", "pre-commit"},
    {".gradle/caches", "gradle"}, {".m2/repository", "maven"}, {".cache/ccache", "ccache"}, {".cache/bazel", "bazel"}, {".cache/composer", "composer"},
    {".gem", "gem"}, {".cache/deno", "deno"}, {".bun/install/cache", "bun"}, {".nuget/packages", "nuget"},
};

void show_if_there(MountTable& table, const HostView& host, const std::string& path, std::string_view reason, const Origin& origin) {
  if (table.is_visible(path)) return;
  const HostFile file = host.look(path);
  if (file.kind != FileKind::directory && file.kind != FileKind::file) return;
  table.show(path, file, MountAccess::read_only, Strength::read_only, std::string(reason), origin);
}

}  // namespace

void claim_executable(MountTable& table, const HostView& host, const Executable& executable, const std::string& home) {
  const Origin origin{OriginKind::derived, "the command"};
  for (const std::string& need : executable.needs) {
    if (need != "/" && !path::is_within(home, need)) show_if_there(table, host, need, "the command's program", origin);
  }
  if (!executable.found.empty()) claim_link_chain(table, host, executable.found, "the command's program", origin);
  if (executable.program != executable.found && !executable.program.empty()) claim_link_chain(table, host, executable.program, "the command's program", origin);
}

void claim_toolchains(MountTable& table, const HostView& host, const std::string& search_path, const Origin& origin) {
  for (const std::string& root : host.toolchain_roots(search_path)) {
    claim_link_chain(table, host, root, "tools on PATH", origin);
  }
}

void claim_dotfiles(MountTable& table, const HostView& host, const std::string& home, const Origin& origin) {
  for (const std::string_view name : listed_dotfiles) {
    const std::string place = path::join(home, name);
    if (host.look(place).kind != FileKind::absent) claim_link_chain(table, host, place, "dotfiles", origin);
  }
}

// One mount, and a link for each tool: a mount for each would cost bubblewrap two milliseconds.
std::vector<std::string> claim_tool_caches(MountTable& table, const HostView& host, const std::string& home,
                                           const std::string& cache_directory, const Origin& origin) {
  std::vector<std::string> absent;
  const std::string target = path::join(home, ".cache/paddock-tools");
  for (const ToolCache& cache : tool_caches) {
    const std::string source = path::join(cache_directory, cache.name);
    if (host.look(source).kind == FileKind::absent) absent.push_back(source);
    const std::string place = path::join(home, cache.place);
    if (table.is_visible(place)) continue;  // the host's own was granted by name
    Claim link;
    link.mount = {MountKind::link, place, path::join(target, cache.name), MountAccess::read_only, false, {}, 0, 0755, {}, "tool cache of Paddock's own", origin};
    table.claim(std::move(link));
  }
  const HostFile file = host.look(cache_directory);
  if (file.kind != FileKind::directory) return absent;
  Claim claim;
  claim.strength = Strength::writable;
  claim.mount = {MountKind::bind, target, cache_directory, MountAccess::read_write, true, file.identity, 0, 0755, {}, "tool caches of Paddock's own", origin};
  table.claim(std::move(claim));
  return absent;
}

}  // namespace paddock
