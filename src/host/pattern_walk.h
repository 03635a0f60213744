// Finds what patterns match on disk, for masks and protections. It reads directories only, keeps nothing
// between calls, and takes whatever it meets for hostile: loops, unreadable and vanishing directories,
// names of any bytes.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace paddock {

inline constexpr std::size_t walk_entries_max = 4'000'000;  // of one call; beyond is an error
inline constexpr int walk_depth_max = 256;                  // of directories; beyond is an error

// Every path at or below `roots` that one of `patterns` (absolute, see PatternStates) matches, as real
// paths, sorted, each once.
//  - A link to a directory is walked as what it leads to, where that lies below one of `roots`: the
//    result is the real path, though the pattern matched the path through the link. What lies outside
//    of all roots is not in view and not reported.
//  - A link that matches is reported itself, and what it leads to as well.
//  - A directory that matches covers what is in it for that pattern; a pattern "x/**" matches x.
//  - An own directory that may not be read (mode 0), in which something could match, is reported
//    itself: its owner, in the sandbox, could change the mode.
//  - The objects of a git directory are not searched.
Result<std::vector<std::string>> match_patterns(const std::vector<std::string>& roots,
                                                const std::vector<std::string>& patterns,
                                                std::size_t entries_max = walk_entries_max);

}  // namespace paddock
