#include <algorithm>

#include "base/text.h"
#include "cli/command.h"
#include "cli/completion.h"
#include "cli/messages.h"

namespace paddock {

std::span<const CompletionRow> completions() {
  static constexpr CompletionRow rows[] = {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};
  return rows;
}

Result<int> completion_command(const Context&, const Arguments& arguments) {
  constexpr std::string_view hint = "eval \"$(paddock completion bash)\" in ~/.bashrc; paddock completion --help tells more";
  if (arguments.rest.size() != 1) return error(ErrorCode::usage, "completion needs the name of one shell: bash, zsh or fish", std::string(hint));
  const auto row = std::ranges::find(completions(), arguments.rest.front(), &CompletionRow::shell);
  if (row == completions().end()) {
    return error(ErrorCode::usage, "there is no completion for " + visible(arguments.rest.front()), "there is one for bash, zsh and fish");
  }
  print_out(row->script());
  return 0;
}

}  // namespace paddock
