// What else belongs to a repository whose git directories are known: nested repositories, other working
// trees, borrowed objects, and the settings that name paths in its working tree.
#pragma once

#include <string>
#include <vector>

#include "host/known_files.h"
#include "plan/host_view.h"

namespace paddock {

inline constexpr std::size_t git_directories_max = 4096;  // of each kind
inline constexpr int git_module_depth_max = 16;           // path components below "modules"
inline constexpr int git_alternate_depth_max = 6;         // git itself stops at 5

// Git directories of submodules: below `git_dir`/modules, at any depth; no link is followed.
std::vector<std::string> find_module_dirs(const std::string& git_dir, KnownFiles& files);
// `common_dir`/worktrees/*.
std::vector<std::string> find_worktree_dirs(const std::string& common_dir, KnownFiles& files);
// Object directories that `common_dir`/objects borrows from, transitively; those that exist, links resolved.
std::vector<std::string> find_alternates(const std::string& common_dir, KnownFiles& files);
// Fills worktree_config, shared_hooks and included_configs from the configuration. `home` is for "~/".
void read_git_settings(GitLayout& layout, const std::string& home, KnownFiles& files);

}  // namespace paddock
