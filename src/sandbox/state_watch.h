// A harness's own directories before and after a run: which names are new and unknown to its manifest, which
// watched keys have changed, and what has to be put back. Reads only; the files were written by the payload and
// are taken as text.
#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "plan/state_view.h"
#include "sandbox/state_baseline.h"

namespace paddock {

inline constexpr std::size_t watched_bytes_max = std::size_t{8} << 20;

// A watched file whose keys that others act on have changed.
struct PutBackFile {
  std::string path;
  std::string text;                 // to stand there; empty with `set_aside`: nothing stood there
  std::vector<std::string> names;   // of the keys
  bool set_aside = false;           // it can no longer be read as what it was: it goes, whole
};

// What stands at a name, its last component not followed.
struct WatchedText {
  bool is_there = false;
  bool is_text = false;  // a regular file of at most watched_bytes_max
  std::string text;
};

class StateWatch {
 public:
  StateWatch() = default;
  // Looks at what is there now. `state_directory`: Paddock's own.
  StateWatch(std::vector<StateTree> trees, const std::string& state_directory);

  // Absolute paths that were not there and that the manifest does not name.
  std::vector<std::string> new_names() const;
  // Links that lead out of a directory, and the like: see state_links.h.
  std::vector<std::string> new_links(const timespec& since) const;
  std::vector<PutBackFile> to_put_back() const;
  // "~/.claude/.claude.json: mcpServers has changed": one line a key, sign-in file or executable part.
  std::vector<std::string> changes(const timespec& since) const;

 private:
  struct Before {
    StateTree tree;
    std::vector<std::string> names;  // sorted
    std::vector<WatchedText> texts;  // of the watched files, in their order
    std::vector<StateBaseline> baselines;  // likewise
    std::vector<std::string> secrets;      // their texts, in their order
  };
  std::vector<Before> before_;
};

}  // namespace paddock
