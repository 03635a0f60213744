#include <unistd.h>

#include <sys/wait.h>

#include <algorithm>

#include <fmt/core.h>

#include "base/ask_program.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "doctor/gather.h"
#include "host/git_config.h"
#include "host/git_identity.h"

namespace paddock::doctor {
namespace {

constexpr std::size_t attributes_bytes_max = 1 << 20;

std::vector<std::string> config_files(const HostView& host, const Environment& environment) {
  GitConfigVariables variables;
  variables.home = host.user().home;
  variables.xdg_config_home = variable(environment, "XDG_CONFIG_HOME");
  variables.global = variable(environment, "GIT_CONFIG_GLOBAL");
  variables.system = variable(environment, "GIT_CONFIG_SYSTEM");
  return find_git_config_files(variables).files;
}

std::vector<GitConfigEntry> entries_of(const std::string& file) {
  const auto text = read_file_if_any(file, git_config_bytes_max);
  return text && *text ? parse_git_config(**text).entries : std::vector<GitConfigEntry>{};
}

// safe.directory of git-config(1); an empty value takes back those before it.
bool is_trusted(const std::vector<std::string>& files, const std::string& root) {
  bool trusted = false;
  for (const std::string& file : files) {
    for (const GitConfigEntry& entry : entries_of(file)) {
      if (git_config_key(entry) != "safe.directory" || !entry.value) continue;
      const std::string& value = *entry.value;
      const bool covers = value == "*" || path::normal(value) == root || (value.ends_with("/*") && path::is_within(root, value.substr(0, value.size() - 2)));
      trusted = value.empty() ? false : trusted || covers;
    }
  }
  return trusted;
}

bool configures_lfs(const std::vector<std::string>& files) {
  return std::ranges::any_of(files, [](const std::string& file) {
    return std::ranges::any_of(entries_of(file), [](const GitConfigEntry& entry) { return entry.section == "filter" && entry.subsection == "lfs"; });
  });
}

bool wants_lfs(const std::string& root) {
  const auto text = read_file_if_any(path::join(root, ".gitattributes"), attributes_bytes_max);
  return text && *text && (*text)->find("filter=lfs") != std::string::npos;
}

void ask_git(GitSurroundings& git) {
  AskRequest request;
  request.program = git.program;
  request.arguments = {"--version"};
  request.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"};
  request.timeout_ms = program_timeout_ms;
  const Result<Asked> asked = ask_program(request);
  if (!asked) git.problem = asked.failure().message;
  else if (asked->status != 0) git.problem = "git --version fails: " + std::string(trim(asked->said).substr(0, 200));
  else git.said = asked->said;
}

void look_around(GitSurroundings& git, const HostView& host, const Environment& environment) {
  const std::vector<std::string> files = config_files(host, environment);
  for (const auto& [key, value] : host.git_identity(git.layout)) {
    if (key == "user.name") git.name = value;
    if (key == "user.email") git.email = value;
  }
  git.lfs_around = configures_lfs(files);
  if (git.layout.kind == GitKind::none || git.layout.kind == GitKind::broken) return;
  // The repository's own file is its own at commit time: the identity that is exported leaves it out.
  const std::string own = path::join(git.layout.common_dir, "config");
  for (const GitConfigEntry& entry : entries_of(own)) {
    if (git_config_key(entry) == "user.name" && entry.value) git.name = *entry.value;
    if (git_config_key(entry) == "user.email" && entry.value) git.email = *entry.value;
  }
  const std::uint32_t uid = host.user().uid;
  git.is_foreign = host.look(git.layout.root).owner != uid || host.look(git.layout.git_dir).owner != uid;
  git.is_trusted = is_trusted(files, git.layout.root);
  git.lfs_wanted = wants_lfs(git.layout.root);
  git.lfs_own = configures_lfs({own});
}

}  // namespace

GitSurroundings git_surroundings(const HostView& host, const Environment& environment, const std::string& directory) {
  GitSurroundings git;
  const std::string search_path = absolute_search_path(environment);
  git.program = host.find_executable("git", search_path).found;
  git.lfs_program = host.find_executable("git-lfs", search_path).found;
  if (!directory.empty()) git.layout = host.git_layout(directory);
  const bool is_of_the_project = !git.layout.root.empty() && path::is_within(git.program, git.layout.root);
  if (is_of_the_project) git.problem = "it lies in the project that you are in, and is not run from there";
  else if (!git.program.empty()) ask_git(git);
  look_around(git, host, environment);
  return git;
}

}  // namespace paddock::doctor
