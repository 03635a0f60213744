// OutputFilter stands between a sandboxed program and the user's terminal: what comes out is text,
// harmless controls and whole control sequences in one 7-bit form from a closed list. It remembers what
// the program changed, so that exactly that can be undone. Pure: bytes in, bytes out.
//
// What never passes: whatever makes the terminal write into its input other than answers to plain
// queries, reads of the clipboard, DCS and APC strings (tmux and screen passthrough, DECRQSS, XTGETTCAP,
// kitty remote control and graphics, sixel), ENQ, printing, other character encodings.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "terminal/filter_state.h"

namespace paddock::terminal {

// feed() appends at most this factor of its input, and one sequence that was kept (osc_bytes_max) with
// a few bytes around it (filter_slack_bytes).
inline constexpr std::size_t filter_growth_max = 3;
inline constexpr std::size_t filter_slack_bytes = 64;

class OutputFilter {
 public:
  explicit OutputFilter(FilterOptions options = {}) : parser_(options.encoding) { state_.options = options; }

  // Appends what passes of `bytes` to `out`. A sequence that is cut off is kept, bounded, until the rest
  // comes; the output does not depend on where the input was split.
  void feed(std::string_view bytes, std::string& out);

  // From here on: whether somebody reads what the terminal answers.
  void set_queries(Queries queries) { state_.options.queries = queries; }

  // What undoes the changes that have passed so far; empty if there are none.
  [[nodiscard]] std::string reset_sequence() const { return undo_sequence(state_.payload); }
  // What sets them again after reset_sequence(); see redo_sequence().
  [[nodiscard]] std::string restore_sequence() const { return redo_sequence(state_.payload); }
  // Puts another value in place of what the payload has changed: none once the reset sequence has been
  // written, redone() after the restore sequence. Returns the former one.
  PayloadModes exchange_payload(const PayloadModes& changed) { return std::exchange(state_.payload, changed); }

  [[nodiscard]] const PayloadModes& payload() const { return state_.payload; }
  [[nodiscard]] const FilterCounts& counts() const { return state_.counts; }
  // Whether the terminal may still write into its input because of what passed.
  [[nodiscard]] bool answers_expected() const { return state_.counts.queries > 0 || state_.counts.reports > 0; }

 private:
  SequenceParser parser_;
  FilterState state_;
};

}  // namespace paddock::terminal
