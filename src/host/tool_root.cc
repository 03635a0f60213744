#include "host/tool_root.h"

#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "base/entries.h"
#include "host/host_file.h"

namespace paddock {
namespace {

// `mark`: components that name the place, wherever they stand. The root is the mark and `more`
// components after it, or, where `show` is stated, these paths from where the mark starts.
struct ToolRow {
  std::string_view mark;
  int more = 0;
  std::string_view show = {};
};

// First match wins: what is installed for one version stands before the whole manager.
constexpr ToolRow tool_rows[] = {
    {".nvm/versions/node", 1},
    {".local/share/fnm/node-versions", 1},
    {".fnm/node-versions", 1},
    {".pyenv/versions", 1},
    {".pyenv", 0},
    {".rbenv/versions", 1},
    {".rbenv", 0},
    {".nodenv/versions", 1},
    {".nodenv", 0},
    {".goenv", 0},
    {".plenv", 0},
    {".phpenv", 0},
    {".jenv", 0},
    {".asdf/installs", 2},
    {".asdf", 0},
    {".local/share/mise/installs", 2},
    {".local/share/mise", 0},
    {".volta", 0},
    {".bun", 0},
    {".deno/bin", 0},
    {".cargo/bin", 0, ".cargo/bin .rustup"},  // never the rest of .cargo: it holds credentials
    {".rustup", 0},
    {".local/share/pnpm", 0},
    {".local/share/uv/tools", 1},
    {".local/share/uv/python", 1},
    {".local/share/pipx/venvs", 1},
    {".local/pipx/venvs", 1},
    {".local/share/claude/versions", 0},
    {".local/share/cursor-agent/versions", 1},
    {".local/share/nvim/mason", 0},
    {".local/share/pypoetry", 0},
    {".local/share/gem/ruby", 1},
    {".gem/ruby", 1},  // never the rest of .gem
    {".sdkman/candidates", 2},
    {".ghcup", 0},
    {".elan", 0},
    {".juliaup", 0},
    {".dotnet", 0},
    {".krew", 0},
    {".linuxbrew", 0},
    {".composer/vendor", 0},
    {".config/composer/vendor", 0},
    {"nix/store", 0},
};

// Below home: nothing in or above one of these is shown.
constexpr std::string_view secret_places[] = {
    ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config/gcloud", ".config/gh", ".config/op",
    ".password-store", ".local/share/keyrings", ".mozilla", ".thunderbird", ".config/google-chrome", ".netrc",
    ".npmrc", ".pypirc", ".git-credentials", ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials"};

// Below home: nothing above one of these, nor it itself.
constexpr std::string_view private_places[] = {
    ".claude/projects", ".codex/sessions", ".gemini/tmp", ".config", ".cache", ".local/share", ".local/state",
    "Desktop", "Documents", "Downloads", "Pictures", "Videos", "Music", ".m2/settings.xml", ".gradle/gradle.properties"};

// A directory with one of these in it is not shown for the sake of a program.
constexpr std::string_view secret_names[] = {".netrc", ".npmrc", ".pypirc", ".git-credentials", "credentials",
                                             "credentials.json", "credentials.toml", ".credentials.json",
                                             "auth.json", "id_rsa", "id_ed25519", ".env"};

constexpr std::string_view program_directories[] = {"bin", "sbin", "libexec", "shims", "scripts", "versions"};

bool is_named_for_programs(const std::string& directory) {
  const std::string name = path::name(directory);
  return std::find(std::begin(program_directories), std::end(program_directories), name) != std::end(program_directories);
}

bool holds_secrets(const std::string& directory) {
  return std::any_of(std::begin(secret_names), std::end(secret_names), [&](std::string_view name) {
    return look_at(path::join(directory, name)).kind != FileKind::absent;
  });
}

// Where a component sequence starts in a path, or npos.
std::size_t find_components(const std::string& path, std::string_view components) {
  for (auto at = path.find(components); at != std::string::npos; at = path.find(components, at + 1)) {
    const auto end = at + components.size();
    if (at > 0 && path[at - 1] == '/' && (end == path.size() || path[end] == '/')) return at;
  }
  return std::string::npos;
}

// `path` up to `more` components after position `end`.
std::string extended(const std::string& path, std::size_t end, int more) {
  for (; more > 0 && end < path.size(); --more) end = std::min(path.find('/', end + 1), path.size());
  return path.substr(0, end);
}

std::vector<std::string> roots_by_table(const std::string& path) {
  for (const ToolRow& row : tool_rows) {
    const auto at = find_components(path, row.mark);
    if (at == std::string::npos) continue;
    if (row.show.empty()) return {extended(path, at + row.mark.size(), row.more)};
    std::vector<std::string> roots;
    for (const std::string& shown : split(row.show, ' ')) roots.push_back(path.substr(0, at) + shown);
    return roots;
  }
  return {};
}

// The outermost node_modules, a Python environment, or a prefix with bin and lib; empty when none.
std::string package_root(const std::string& directory) {
  constexpr std::string_view modules = "node_modules";
  const auto at = find_components(directory, modules);
  if (at != std::string::npos) return directory.substr(0, at + modules.size());
  if (path::name(directory) != "bin") return {};
  const std::string prefix = path::parent(directory);
  if (exists(path::join(prefix, "pyvenv.cfg")) || is_directory(path::join(prefix, "lib"))) return prefix;
  return {};
}

bool holds_programs(const std::string& directory) {
  constexpr int entries_looked_at_max = 64;
  const Fd fd = open_directory(AT_FDCWD, directory.c_str());
  if (!fd.valid()) return false;
  std::vector<char> buffer(8 * 1024);
  bool found = false;
  int looked_at = 0;
  for_each_entry(fd.get(), buffer, [&](const char* name, unsigned char) {
    found = is_executable_file(path::join(directory, name));
    return !found && ++looked_at < entries_looked_at_max;
  });
  return found;
}

// In or above a place for credentials.
bool is_secret(const std::string& path, const std::string& home) {
  return std::any_of(std::begin(secret_places), std::end(secret_places), [&](std::string_view place) {
    const std::string whole = path::join(home == "/" ? "" : home, place);
    return path::is_within(whole, path) || path::is_within(path, whole);
  });
}

std::vector<std::string> shown_only(std::vector<std::string> roots, const std::string& home) {
  std::erase_if(roots, [&](const std::string& root) { return !may_be_shown(root, home) || !exists(root); });
  return roots;
}

}  // namespace

bool is_system_path(std::string_view path) {
  for (const std::string_view directory : {"/usr", "/bin", "/sbin", "/opt"}) {
    if (path::is_within(path, directory)) return true;
  }
  return path.starts_with("/lib") && path.substr(0, path.find('/', 1)).size() <= std::string_view("/libx32").size();
}

bool is_common_bin(const std::string& directory, const std::string& home) {
  return directory == path::join(home, "bin") || directory == path::join(home, ".local/bin");
}

bool may_be_shown(const std::string& directory, const std::string& home) {
  if (is_system_path(directory) || path::is_within(home, directory) || path::parent(directory) == "/") return false;
  if (is_secret(directory, home)) return false;
  const std::string base = home == "/" ? "" : home;
  return std::none_of(std::begin(private_places), std::end(private_places), [&](std::string_view place) {
    return path::is_within(path::join(base, place), directory);
  });
}

std::vector<std::string> roots_of_program(const std::string& real, const std::string& home) {
  if (is_system_path(real) || is_secret(real, home) || !is_executable_file(real)) return {};
  std::vector<std::string> roots = shown_only(roots_by_table(real), home);
  if (!roots.empty()) return roots;
  const std::string directory = path::parent(real);
  if (is_common_bin(directory, home)) return {real};
  const std::string package = package_root(directory);
  if (!package.empty() && may_be_shown(package, home) && !holds_secrets(package)) return {package};
  // ~/.x/y: an application's own place. Elsewhere a directory may hold anything besides the program.
  const bool in_application = path::is_within(directory, home) && path::relative(directory, home).starts_with('.') &&
                              path::relative(directory, home).find('/') != std::string::npos;
  if ((in_application || is_named_for_programs(directory)) && may_be_shown(directory, home) && !holds_secrets(directory)) {
    return {directory};
  }
  return {real};
}

std::vector<std::string> roots_of_directory(const std::string& real, const std::string& home) {
  if (is_system_path(real) || !is_directory(real)) return {};
  std::vector<std::string> roots = shown_only(roots_by_table(real), home);
  if (!roots.empty()) return roots;
  const std::string package = is_common_bin(real, home) ? "" : package_root(real);
  if (!package.empty() && may_be_shown(package, home) && !holds_secrets(package)) return {package};
  if (!may_be_shown(real, home) || holds_secrets(real)) return {};
  if (is_named_for_programs(real) || holds_programs(real)) return {real};
  return {};
}

void keep_outermost(std::vector<std::string>& roots) {
  std::sort(roots.begin(), roots.end());
  std::vector<std::string> kept;
  for (std::string& root : roots) {
    const bool is_below = std::any_of(kept.begin(), kept.end(), [&](const std::string& above) { return path::is_within(root, above); });
    if (!is_below) kept.push_back(std::move(root));
  }
  roots = std::move(kept);
}

}  // namespace paddock
