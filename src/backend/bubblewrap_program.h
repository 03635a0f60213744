// Which file is executed as bwrap, and which one never is.
#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>

#include "backend/backend.h"

namespace paddock {

struct BubblewrapProgram {
  std::string path;     // absolute; empty when none was found
  FileIdentity identity;
  std::string key;      // changes with the file
  std::string refusal;  // why it is not used; empty when it may be
};

// The program named in the settings, used or refused; otherwise the first on PATH that may be used.
BubblewrapProgram find_bubblewrap(const ProbeRequest& request);

// Changes with the file; empty when it is not there.
std::string key_of_program(const std::string& path);

// Who looks at a program.
struct ProgramJudge {
  uid_t uid = 0;
  bool has_root = true;  // root has a uid in our user namespace; otherwise its files show the overflow uid
};

// Why this file may not be executed as bwrap; empty when it may: not setuid, and nobody but root and the
// caller can change it. Where root has no uid here, files of the system's own directories count as root's.
// (Whether the sandbox itself could write it, the caller of the probe knows.)
std::string refusal_of_program(const std::string& path, const struct stat& status, const ProgramJudge& judge);

// True when the text of a uid_map (user_namespaces(7)) gives uid 0 inside a meaning.
bool maps_root(std::string_view uid_map);

}  // namespace paddock
