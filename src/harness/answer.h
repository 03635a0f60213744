// Why an installed program did not answer a simple question inside a sandbox, read from what it said. Pure.
#pragma once

#include <string>
#include <string_view>

namespace paddock {

struct AnswerFault {
  std::string why;          // "a shared library is not there: libfoo.so.1"
  std::string fix;          // one thing that helps; may be empty
  bool is_absent = false;   // something that it needs does not exist inside: exit code 127
  friend bool operator==(const AnswerFault&, const AnswerFault&) = default;
};

// `said`: both outputs. `exit_code` as a shell would give it, not 0.
AnswerFault fault_of_answer(std::string_view said, int exit_code);

inline constexpr std::size_t tail_lines_max = 5;
inline constexpr std::size_t tail_line_bytes_max = 200;

// The last lines of it that are not empty, each cut to a length and made visible, ready to stand below a message.
std::string tail_of(std::string_view said);

}  // namespace paddock
