// A harness's own directories before and after a run: which names are new and unknown to its manifest, and
// which watched keys have changed. Reads only; the files were written by the payload and are taken as text.
#pragma once

#include <string>
#include <vector>

#include "plan/state_view.h"

namespace paddock {

inline constexpr std::size_t watched_bytes_max = std::size_t{8} << 20;

// The paths of the keys that differ, "projects./w.mcpServers"; `*` in a key stands for every name. A text
// that is no JSON object counts as one without keys. At most changed_keys_max. Pure.
std::vector<std::string> changed_keys(const std::string& before, const std::string& after, const std::vector<std::string>& keys);
inline constexpr std::size_t changed_keys_max = 16;

class StateWatch {
 public:
  StateWatch() = default;
  // Looks at what is there now.
  explicit StateWatch(std::vector<StateTree> trees);

  // Absolute paths that were not there and that the manifest does not name.
  std::vector<std::string> new_names() const;
  // "~/.claude/.claude.json: mcpServers has changed": one line a key.
  std::vector<std::string> changes() const;

 private:
  struct Before {
    StateTree tree;
    std::vector<std::string> names;  // sorted
    std::vector<std::string> texts;  // of the watched files, in their order
  };
  std::vector<Before> before_;
};

}  // namespace paddock
