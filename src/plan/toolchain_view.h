// The command's own program and the tools on PATH, as far as they lie outside the system.
#pragma once

#include "plan/host_view.h"
#include "plan/mount_table.h"

namespace paddock {

// The links that lead to the program, and the directories that it needs, read-only.
void claim_executable(MountTable& table, const HostView& host, const Executable& executable, const std::string& home);

// Every directory that the tools on `search_path` need, read-only.
void claim_toolchains(MountTable& table, const HostView& host, const std::string& search_path, const Origin& origin);

// A listed set of dotfiles, read-only; never one that may hold a credential.
void claim_dotfiles(MountTable& table, const HostView& host, const std::string& home, const Origin& origin);

// Tool caches of Paddock's own at the places where tools look for them, writable and persistent.
// `cache_directory` holds one directory a tool; absent ones are named in the result, to be created.
std::vector<std::string> claim_tool_caches(MountTable& table, const HostView& host, const std::string& home,
                                           const std::string& cache_directory, const Origin& origin);

}  // namespace paddock
