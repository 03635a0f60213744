// Which of the settings around a repository hold for it (git-config(1), "FILES"), and which of those a
// sandbox gets.
#pragma once

#include <string>
#include <vector>

#include "host/known_files.h"
#include "plan/host_view.h"

namespace paddock {

// The files that git reads before the repository's own, weakest first, and what "~" is.
struct GitConfigFiles {
  std::vector<std::string> files;
  std::string home;
};

// As git finds them from these variables; an empty one counts as unset, except that `global` and
// `system` ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM") replace the files by exactly that one.
struct GitConfigVariables {
  std::string home;
  std::string xdg_config_home;
  std::string global;
  std::string system;
  bool no_system = false;  // GIT_CONFIG_NOSYSTEM
};
GitConfigFiles find_git_config_files(const GitConfigVariables& variables);

struct GitReading {
  GitIdentity identity;
  GitFacts facts;
  friend bool operator==(const GitReading&, const GitReading&) = default;
};

// `directory` is the current one as the user goes by it: conditions on the git directory are tried on
// that form of the path too, as git does.
GitReading read_git_identity(const GitConfigFiles& files, const GitLayout& layout, const std::string& directory, KnownFiles& known);

}  // namespace paddock
