// The built-in list of what others run later: names that are readable but never writable inside a
// writable tree. Data; each entry can be opted out by its text ("!.envrc" in `protect`).
#pragma once

#include <span>
#include <string_view>

namespace paddock {

// What to do while the name is absent: `hold` creates an inert stand-in for the run, `check` looks
// at it when the run has ended.
enum class WhenAbsent { check, hold };

struct ProtectedName {
  std::string_view path;     // relative to a writable tree's root (or to home, in the home list)
  bool is_directory = false; // of a stand-in, and what is expected
  WhenAbsent when_absent = WhenAbsent::check;
  std::string_view content;  // of a stand-in file
};

// Relative to the root of each writable tree. The parts of .git are git_view.h's.
std::span<const ProtectedName> protected_in_trees();
// Relative to home, where a writable tree holds them.
std::span<const ProtectedName> protected_in_home();
// Final components that make a file executable for the host wherever it lies; for the walk at the end.
std::span<const std::string_view> executable_names_anywhere();

}  // namespace paddock
