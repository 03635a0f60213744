// What the parts of the output filter share: the policy, the changes of the payload, and the counts.
#pragma once

#include <cstdint>

#include "terminal/payload_modes.h"
#include "terminal/sequence_parser.h"

namespace paddock::terminal {

// `drop` where nobody reads the answers: no input is relayed, or the job is in the background.
// Modes that make the terminal report by itself (mouse, focus) go the same way.
enum class Queries { pass, drop };
enum class ClipboardWrite { drop, pass };
enum class Notifications { drop, pass };
enum class Hyperlinks { drop, web };  // web: http, https and mailto; never file

// The defaults are the closed ones, except that a person's own terminal answers queries.
struct FilterOptions {
  Encoding encoding = Encoding::utf8;
  Queries queries = Queries::pass;
  ClipboardWrite clipboard_write = ClipboardWrite::drop;
  Notifications notifications = Notifications::drop;
  Hyperlinks hyperlinks = Hyperlinks::web;
};

// What has been seen so far. Counts never wrap in practice (64 bits).
struct FilterCounts {
  std::uint64_t queries = 0;          // passed, each of them answered by the terminal
  std::uint64_t status_requests = 0;  // those among them that are DSR 5, which is ours at the end too
  std::uint64_t reports = 0;          // modes passed in which the terminal reports by itself
  std::uint64_t clipboard_reads = 0;  // dropped
  std::uint64_t clipboard_writes = 0;
  std::uint64_t notifications = 0;
  std::uint64_t dropped = 0;          // sequences and control characters that did not pass, in all
  friend bool operator==(const FilterCounts&, const FilterCounts&) = default;
};

struct FilterState {
  FilterOptions options;
  FilterCounts counts;
  PayloadModes payload;
};

}  // namespace paddock::terminal
