// Finds the terminal's answers to DSR 5 ("CSI 0 n", "CSI 3 n") in what it sends, however it is split.
// Pure. Answers come in the order of the questions, so the one to a question of ours follows all that
// the payload has asked before.
#pragma once

#include <cstdint>
#include <string_view>

namespace paddock::terminal {

class StatusAnswers {
 public:
  void feed(std::string_view bytes);
  [[nodiscard]] std::uint64_t seen() const { return seen_; }

 private:
  std::uint64_t seen_ = 0;
  int matched_ = 0;  // bytes of an answer at the end of what was fed
};

}  // namespace paddock::terminal
