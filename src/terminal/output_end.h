// The end of the payload's output on the user's terminal: modes back, and answers that are still under
// way taken out of its input, so that they never reach the user's shell as if they had been typed.
//
// What the user typed ahead: if the payload has asked the terminal nothing, its input is not touched and
// typed text stays for the shell. If it has, what comes until the answer is lost: text cannot be told
// from a late answer with certainty, and putting bytes back into a terminal (TIOCSTI) is the very attack
// that this prevents, and off in current kernels. What comes after our answer stays.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace paddock::terminal {

inline constexpr int answer_silence_ms_max = 100;   // since the last byte that came
inline constexpr int answer_wait_ms_max = 1000;     // in all, whatever comes
inline constexpr int end_write_ms_max = 1000;       // for a terminal that takes nothing
inline constexpr std::size_t drained_bytes_max = 4096;

enum class AskTerminal { no, yes };

struct OutputEnd {
  int output = -1;           // the user's terminal, borrowed
  int input = -1;            // likewise; -1: nothing is drained. It must be raw, and ours (foreground)
  std::string_view reset;    // OutputFilter::reset_sequence()
  AskTerminal ask = AskTerminal::no;  // the payload has asked, or had reports on
  // The answers to DSR 5 that the payload has asked for and that have not come in yet.
  std::uint64_t answers_owed = 0;
};

struct OutputEnded {
  bool answered = false;     // our own request was; if not, the input was flushed instead
  std::string drained;       // what came before our answer, at most drained_bytes_max
};

OutputEnded end_output(const OutputEnd& end);

}  // namespace paddock::terminal
