// What there is of a harness on this machine: its program, what that says of itself, its state, a login.
// Looked at for `harness list`, `harness check` and `doctor`; prints nothing.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/harness_question.h"
#include "harness/state_names.h"
#include "plan/host_view.h"

namespace paddock {

inline constexpr unsigned version_timeout_ms = 2'000;

// The first of the manifest's `bins` that PATH has; a problem other than `not_found` ends the search.
struct HarnessProgram {
  std::string bin;        // of `bins`; empty when none is there
  Executable executable;  // `problem` says whether it can run
  [[nodiscard]] bool is_installed() const { return executable.problem != ExecutableProblem::not_found; }
};
HarnessProgram find_program(const Context& context, const Manifest& harness);

// One state directory as it lies on the host now.
struct StateFacts {
  const StatePath* state = nullptr;  // of the manifest, which outlives this
  std::string place;                 // where it is looked for: a variable's value or the usual path
  bool is_moved = false;             // the variable says so
  bool exists = false;               // as a directory
  std::map<std::string, NameClass> names;  // first names in it, at most state_names_max
};
inline constexpr std::size_t state_names_max = 4096;
std::vector<StateFacts> look_at_state(const Context& context, const Manifest& harness);

// How this person is signed in, without reading a secret.
struct LoginFacts {
  std::vector<std::string> files;      // secrets that exist, absolute
  std::vector<std::string> variables;  // of the manifest's, set and not empty
  [[nodiscard]] bool is_present() const { return !files.empty() || !variables.empty(); }
};
LoginFacts look_for_login(const Context& context, const Manifest& harness, const std::vector<StateFacts>& state);

enum class Answered { yes, too_slow, failed, not_asked };

struct VersionFacts {
  Answered answered = Answered::not_asked;
  std::string version;  // "2.1.197": the first word of digits and dots, or the whole first line; at most 200 bytes
  std::string problem;  // of `failed` and `not_asked`
};
// What a program's answer to `--version` comes to.
VersionFacts version_facts(const Result<Captured>& said);
// `--version`, in the sandbox for questions, at most version_timeout_ms.
VersionFacts ask_version(const Context& context, const Manifest& harness, const QuestionPlace& place);

struct FlagFacts {
  Answered answered = Answered::not_asked;
  std::vector<std::string> missing;  // flags under [[help]] that the program does not name
  std::string problem;
};
// From the kept answer where there is one; else its help calls are run, which takes seconds for some.
FlagFacts ask_flags(const Context& context, const Manifest& harness, const HarnessProgram& program, const QuestionPlace& place);

}  // namespace paddock
