// Questions to an installed agent ("--help", "--version"), put to it in a sandbox of the strictest kind and
// never on the host.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "cli/context.h"
#include "harness/manifest.h"
#include "policy/load.h"
#include "sandbox/capture.h"

namespace paddock {

// A backend that holds the sandbox in which questions are put.
struct QuestionPlace {
  const Backend* backend = nullptr;
  ProbeReport probe;
};

// The first in the configured order that holds it. The error names every backend with its reason.
Result<QuestionPlace> question_place(const Context& context, const BackendSettings& settings);

struct Question {
  const Manifest* harness = nullptr;  // its `bins` say which program
  std::vector<std::string> words;     // after the program's name; nothing is added to them
  unsigned timeout_ms = 20'000;       // of the program, its sandbox being up
};

// Strict profile; no network, no credentials, no project, nothing writable but memory. Errors: not found,
// or it could not be started.
Result<Captured> ask_program(const Context& context, const QuestionPlace& place, const Question& question);

// Several at one time; the answers in the order of the questions.
std::vector<Result<Captured>> ask_programs(const Context& context, const QuestionPlace& place, std::span<const Question> questions);

}  // namespace paddock
