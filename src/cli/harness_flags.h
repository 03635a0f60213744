// The flags that a manifest relies on, checked against the installed program's own help, once for each
// version of the program and of the manifest. A feature whose flag is missing is left out, and that is said.
#pragma once

#include "cli/harness_question.h"
#include "cli/setup.h"

namespace paddock {

// Runs the help calls inside a sandbox of the strictest kind, never on the host, and keeps the answer in
// the state directory: a start that finds it reads one small file. True when setup's manifest was
// reduced: the plan has to be made again. A program that cannot be asked is taken at its manifest's word.
// `program`: where the plan's command leads on the host.
Result<bool> check_harness_flags(const Context& context, const Setup& setup, const Plan& plan, const ChosenBackend& chosen, const Executable& program);

// The same as far as the answer is kept; nothing is started.
std::optional<std::vector<std::string>> kept_unknown_flags(const Context& context, const Manifest& harness, const Executable& program);

// The flags under the manifest's [[help]] that `program` does not name. From the kept answer where it is
// of this program and these flags; else asked for, and kept. An error: it could not be asked.
Result<std::vector<std::string>> unknown_flags(const Context& context, const Manifest& harness, const Executable& program, const QuestionPlace& place);

}  // namespace paddock
