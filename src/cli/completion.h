// Completions for shells, each a whole script for stdout, made from the tables (cli/offers.h). Nothing in a
// script evaluates what it lists: names that hold more than letters, digits and ._+@- are left out.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace paddock {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

struct CompletionRow {
  std::string_view shell;
  std::string (*script)();
};
std::span<const CompletionRow> completions();

}  // namespace paddock
