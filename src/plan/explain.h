// A plan and what this machine can hold of it, told to a person or to a program. Pure: the words and
// the JSON object are made of the same value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace paddock {

struct BackendLack {
  std::string what;  // a guarantee's name, or "start"
  std::string why;
  std::string fix;   // may be empty
};

// One backend as it was found on this machine.
struct BackendFacts {
  std::string name;
  std::string version;  // empty where it is not known
  std::string program;  // absolute; empty where there is none
  Guarantees held;
  std::vector<BackendLack> missing;  // what it cannot hold here, needed or not
  std::vector<BackendLack> unmet;    // what this plan needs of that
};

struct Explanation {
  const Plan* plan = nullptr;          // outlives this; null: without a sandbox
  Origin unsandboxed_by;               // then
  std::vector<std::string> command;    // then
  std::optional<BackendFacts> chosen;  // the one that holds the plan
  std::vector<BackendFacts> refused;   // those that were asked and do not, in their order
  std::vector<std::string> warnings;
};

// Something holds the plan, or nothing has to.
bool fits(const Explanation& explanation);

enum class Ink { plain, coloured };

// For 80 columns; names and paths are never broken. Everything from outside is made visible.
std::string explain_in_words(const Explanation& explanation, Ink ink);

// One object on one line with a line end: schema "paddock.explain/1", its keys always present.
std::string explain_as_json(const Explanation& explanation);

}  // namespace paddock
