#include "host/git_identity.h"

#include <algorithm>
#include <map>

#include "base/path.h"
#include "host/git_allowlist.h"
#include "host/git_include.h"
#include "host/host_file.h"

namespace paddock {
namespace {

using Values = std::map<std::string, std::string>;

void note_signing(const GitConfigEntry& entry, GitFacts& facts) {
  if (entry.name != "gpgsign" || entry.has_subsection) return;
  const bool on = git_boolean(entry.value).value_or(false);
  if (entry.section == "commit") facts.signs_commits = on;
  if (entry.section == "tag") facts.signs_tags = on;
}

void note(const GitConfigEntry& entry, GitFacts& facts) {
  note_signing(entry, facts);
  const std::string value = entry.value.value_or("");
  if (entry.section == "credential" && entry.name == "helper") {
    facts.credential_helpers = !value.empty();  // an empty one clears the list
  } else if (entry.section == "url" && (entry.name == "insteadof" || entry.name == "pushinsteadof")) {
    facts.url_rewrites = true;
  } else if (entry.section == "core" && entry.name == "hookspath") {
    facts.hooks_path = !value.empty();
  } else if (entry.section == "alias" && value.starts_with('!')) {
    facts.shell_aliases = true;
  } else if (entry.section == "filter" && entry.has_subsection) {
    facts.filters.push_back(entry.subsection);
  }
}

void sort_unique(std::vector<std::string>& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

// The last value of a key holds, also when it is one that stays outside: an earlier one must not
// come through in its place.
void take(const GitConfigEntry& entry, Values& values) {
  const std::string key = git_config_key(entry);
  if (auto value = exported_value(entry)) {
    values[key] = std::move(*value);
  } else {
    values.erase(key);
  }
}

// The git directory by the path that the user goes by: "/home/u/work/p/.git" where /home/u/work is a
// link. Only for a plain repository; empty otherwise.
std::string git_dir_as_given(const GitLayout& layout, const std::string& directory, KnownFiles& known) {
  if (layout.kind != GitKind::directory || layout.dot_git == layout.root) return {};
  const auto real = known.real_path(directory);
  if (!real || !path::is_within(*real, layout.root)) return {};
  const std::string below = path::relative(*real, layout.root);
  std::string root = path::normal(directory);
  if (!below.empty()) {
    if (!root.ends_with("/" + below)) return {};
    root.resize(root.size() - below.size() - 1);
  }
  return path::join(root, ".git");
}

}  // namespace

GitConfigFiles find_git_config_files(const GitConfigVariables& variables) {
  GitConfigFiles found;
  found.home = variables.home;
  if (!variables.no_system) found.files.push_back(variables.system.empty() ? "/etc/gitconfig" : variables.system);
  if (!variables.global.empty()) {
    found.files.push_back(variables.global);
    return found;
  }
  const bool stated = path::is_absolute(variables.xdg_config_home);
  const std::string config = stated ? variables.xdg_config_home : path::join(variables.home, ".config");
  found.files.push_back(path::join(config, "git/config"));
  found.files.push_back(path::join(variables.home, ".gitconfig"));
  return found;
}

GitReading read_git_identity(const GitConfigFiles& files, const GitLayout& layout, const std::string& directory, KnownFiles& known) {
  GitReading reading;
  Values values;
  GitConfigReader around({.home = files.home,
                          .git_dir = layout.git_dir,
                          .git_dir_as_given = git_dir_as_given(layout, directory, known),
                          .common_dir = layout.common_dir});
  for (const std::string& file : files.files) {
    around.read(file, [&](const GitConfigEntry& entry) {
      take(entry, values);
      note(entry, reading.facts);
    });
  }
  // Of the repository's own files only whether they turn signing on or off.
  std::vector<std::string> own;
  if (!layout.common_dir.empty()) own.push_back(path::join(layout.common_dir, "config"));
  if (layout.worktree_config) own.push_back(path::join(layout.git_dir, "config.worktree"));
  for (const std::string& file : own) {
    for (const GitConfigEntry& entry : parse_git_config(known.read(file, git_config_bytes_max).value_or("")).entries) {
      note_signing(entry, reading.facts);
    }
  }
  reading.identity.assign(values.begin(), values.end());
  reading.facts.problems = around.problems();
  sort_unique(reading.facts.filters);
  return reading;
}

}  // namespace paddock
