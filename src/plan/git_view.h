// What a sandbox sees of a repository in place, and which parts of it are protected because the
// host's git executes or follows them (THREATS 25; the list is in SECURITY.md).
#pragma once

#include "plan/protector.h"
#include "plan/workspace_choice.h"

namespace paddock {

struct GitViewInput {
  GitLayout layout;
  GitMode mode = GitMode::protected_parts;
  bool writable = true;  // follows the workspace's access
  bool is_harness = false;
  bool follows = true;   // a git directory outside the tree is granted as the tree is
};

// Claims the git directories that lie outside the tree, before protections are claimed.
void claim_git_directories(MountTable& table, const HostView& host, const GitViewInput& input);
// Then the protected parts; nothing when the mode is real or the tree is read-only.
void protect_git(Protector& protector, const HostView& host, const GitViewInput& input);

// What following the repository's own pointers opens.
std::vector<Relaxation> git_relaxations(const GitLayout& layout);

// One setting as it stands in a configuration file, quoted; `key` as GitIdentity has it.
std::string git_config_line(const std::string& key, const std::string& value);

// Configuration that goes to git inside by environment, over every file: what cannot work there is off.
std::vector<std::pair<std::string, std::string>> git_overrides();

}  // namespace paddock
