// What the keys that others act on were before the first of the runs that are alive now: a run that starts
// while another one lives cannot take what it finds for the user's own. Kept in Paddock's state directory, as
// long as one of them lives; 0600, and only those keys.
#pragma once

#include <string>

#include "base/fd.h"

namespace paddock {

class StateBaseline {
 public:
  StateBaseline() = default;
  // `path`: the watched file; `now`: its keys as they are. Where nothing can be kept, `now` is taken.
  StateBaseline(const std::string& state_directory, const std::string& path, std::string now);
  StateBaseline(StateBaseline&&) = default;
  StateBaseline& operator=(StateBaseline&&) = default;
  ~StateBaseline();  // the last one removes it

  const std::string& text() const { return text_; }

 private:
  std::string place_;
  Fd file_;  // locked: shared while the run lives, alone while it is written or removed (flock(2))
  std::string text_;
};

}  // namespace paddock
