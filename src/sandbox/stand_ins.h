// What a run creates on the host before it starts: the harness's first directories and files, which
// stay, and inert stand-ins for protected names that are absent, which go again. Every stand-in is
// journalled before it is made, so that a killed run leaves nothing that the next command does not
// remove; until then it is harmless.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/file.h"
#include "base/result.h"
#include "plan/plan.h"

namespace paddock {

// Directories 0700, files 0600, only where nothing is yet. True when something was created. "{end:NAME}" in
// a content stands for the last 20 characters of that variable in `environment`, escaped for JSON: so no
// part of a secret is in a plan.
Result<bool> make_seeds(const std::vector<Seed>& seeds, const std::map<std::string, std::string>& environment = {});

// The stand-ins that one run relies on. The journal file is locked while the run lives; a journal
// whose lock is free belongs to a dead run.
class StandIns {
 public:
  StandIns() = default;
  StandIns(StandIns&&) = default;
  StandIns& operator=(StandIns&&) = default;
  ~StandIns();

  // Journals, then creates those that are absent. `directory`: Paddock's state directory.
  static Result<StandIns> make(const std::vector<AbsentProtection>& wanted, const std::string& directory);

  // Stand-ins of other live runs that this plan protects too: they stay until both have ended.
  Result<void> share_with(const Plan& plan);

  [[nodiscard]] bool empty() const { return lines_.empty(); }

  // What is at a name that was wanted, ours or not; nothing where it could not be made.
  [[nodiscard]] const FileIdentity* identity_of(const std::string& path) const;

  // Removes what is still as it was made and no other live run relies on.
  void remove();

 private:
  Result<void> open();     // the folder and what is locked for a turn
  Result<void> begin();    // a new journal with the lines
  Result<void> replace();  // the journal, by one with more lines

  std::string directory_;  // of the journals
  Fd folder_;              // open there, once there is something to do
  Fd turn_;                // locked while one reads or changes journals or stand-ins
  std::string journal_;    // name in the folder
  Fd lock_;                // of the journal
  bool is_alone_ = false;  // no other journal was there when this one was begun
  std::vector<std::string> lines_;
  std::vector<std::pair<std::string, FileIdentity>> held_;
};

// Clears up after runs that were killed; true when there was something. Cheap otherwise: one look at a
// directory.
bool recover_stand_ins(const std::string& directory);

}  // namespace paddock
