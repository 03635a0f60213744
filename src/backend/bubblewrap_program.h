// Which file is executed as bwrap, and which one never is.
#pragma once

#include <sys/stat.h>

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.h"

namespace paddock {

struct BubblewrapProgram {
  std::string path;     // absolute
  FileIdentity identity;
  FileChange change;
  std::string key;      // changes with the file
  std::string refusal;  // why it is not used; empty when it may be
};

// The programs that come into question, in their order: the one named in the settings, alone; otherwise the one
// that is shipped, then each on PATH. Looked for one by one, because the first is nearly always taken.
class BubblewrapPrograms {
 public:
  explicit BubblewrapPrograms(const ProbeRequest& request);

  // Null behind the last one. Valid as long as this is.
  const BubblewrapProgram* at(std::size_t index);
  // "bwrap is not installed"
  std::string none() const;

 private:
  bool find_next();

  const ProbeRequest& request_;
  std::string name_;                // looked for on PATH
  std::vector<std::string> places_;  // the directories of PATH that are left, the last one first
  std::vector<std::string> paths_;  // to be looked at before those, the last one first
  std::deque<BubblewrapProgram> found_;
};

// Why a program whose checksum is known is not used, from its content: read and hashed, so not for every start.
// Empty when it is what was shipped, and for every other program.
std::string refusal_of_content(const BubblewrapProgram& program, const ShippedProgram& shipped);

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
