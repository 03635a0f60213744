// The versions of several installed agents: what is kept of each program, else asked for, all at one time.
#pragma once

#include <span>
#include <vector>

#include "cli/harness_facts.h"

namespace paddock {

struct InstalledHarness {
  const Manifest* harness = nullptr;      // outlives the call
  const HarnessProgram* program = nullptr;
};

enum class Kept { use, ask_again };

// One for each, in order. Only an answer is kept, in the state directory, until the program changes.
std::vector<VersionFacts> versions_of(const Context& context, const QuestionPlace& place, std::span<const InstalledHarness> installed, Kept kept);

}  // namespace paddock
