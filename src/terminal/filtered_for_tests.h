// For the tests of the filter: its output for an input, which must not depend on how that was split.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "terminal/output_filter.h"

namespace paddock::terminal {

struct Filtered {
  std::string output;
  std::string reset;
  FilterCounts counts;
  friend bool operator==(const Filtered&, const Filtered&) = default;
};

inline Filtered filter_in_pieces(std::string_view input, std::size_t first, std::size_t rest, FilterOptions options) {
  OutputFilter filter(options);
  Filtered result;
  filter.feed(input.substr(0, first), result.output);
  for (std::size_t at = first; at < input.size(); at += rest) filter.feed(input.substr(at, rest), result.output);
  result.reset = filter.reset_sequence();
  result.counts = filter.counts();
  return result;
}

// Split in two at every place, and into single bytes.
inline Filtered filtered(std::string_view input, FilterOptions options = {}) {
  const Filtered whole = filter_in_pieces(input, input.size(), 1, options);
  EXPECT_EQ(filter_in_pieces(input, 0, 1, options), whole) << "one byte at a time";
  for (std::size_t at = 1; at < input.size(); ++at) {
    EXPECT_EQ(filter_in_pieces(input, at, input.size(), options), whole) << "split at " << at;
  }
  return whole;
}

inline std::string output_of(std::string_view input, FilterOptions options = {}) {
  return filtered(input, options).output;
}
inline std::string reset_of(std::string_view input, FilterOptions options = {}) {
  return filtered(input, options).reset;
}

}  // namespace paddock::terminal
