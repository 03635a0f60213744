// Finding a command as execvp(3) would, and what it needs to run elsewhere at the same path: its links,
// its interpreter, the tree that it belongs to. Nothing is started.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "host/known_files.h"
#include "plan/host_view.h"

namespace paddock {

inline constexpr int interpreters_max = 4;  // one runs by another, as the kernel allows (binfmt_script)

struct ExecutableContext {
  std::string home;
  std::string directory;  // for relative names and version files
  const std::map<std::string, std::string>* environment = nullptr;  // outlives the call; may be null
};

// `search_path` as PATH: colon-separated, an empty entry is `directory`; empty as a whole: "/bin:/usr/bin".
// In `chain` the links of the interpreter come before those of the command itself.
Executable find_executable(const std::string& name, const std::string& search_path, const ExecutableContext& context, KnownFiles& files);

// See HostView::toolchain_roots. Relative entries and those that are no directories have none.
std::vector<std::string> find_toolchain_roots(const std::string& search_path, const std::string& home, KnownFiles& files);

}  // namespace paddock
