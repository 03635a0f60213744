// Links that a payload left in a directory of its harness's: a program on the host that writes to the name
// would write where the link leads.
#pragma once

#include <ctime>
#include <string>
#include <vector>

namespace paddock {

inline constexpr std::size_t state_entries_max = 50'000;

// Symbolic links below `tree` that are not older than `since` and lead out of it, and pipes and devices of that
// age, which a reader would wait at. `named`: the tree's other name, by which its links may call it. Nothing is
// followed. Ordered by path; at most state_entries_max are looked at.
std::vector<std::string> new_links_out(const std::string& tree, const std::string& named, const timespec& since);

}  // namespace paddock
