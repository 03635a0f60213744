#include "plan/workspace_choice.h"

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"

namespace paddock {
namespace {

bool holds_home(const std::string& root, const std::string& home, const HostView& host) {
  const std::string real_home = host.real_path(home).value_or(home);
  return path::is_within(real_home, root);
}

}  // namespace

Result<WorkspaceChoice> choose_workspace(const std::string& named, const std::string& directory, const std::string& home,
                                         const HostView& host) {
  WorkspaceChoice choice;
  const std::optional<std::string> here = host.real_path(directory);
  if (!named.empty()) {
    const std::optional<std::string> root = host.real_path(path::normal(named, directory));
    if (!root || host.look(*root).kind != FileKind::directory) {
      return error(ErrorCode::usage, fmt::format("the workspace {} is not a directory", visible(named)), "give --sandbox-workspace a directory that exists");
    }
    choice.root = *root;
    choice.named = true;
    choice.directory = here && path::is_within(*here, *root) ? *here : *root;
    choice.layout = host.git_layout(choice.directory);
    return choice;
  }
  if (!here || host.look(*here).kind != FileKind::directory) {
    return error(ErrorCode::cannot_start, fmt::format("the current directory {} does not exist", visible(directory)), "change to a directory that exists");
  }
  choice.directory = *here;
  choice.layout = host.git_layout(*here);
  const bool in_repository = choice.layout.kind != GitKind::none && !choice.layout.root.empty() && path::is_within(*here, choice.layout.root) &&
                             !holds_home(choice.layout.root, home, host);
  choice.root = in_repository ? choice.layout.root : *here;
  if (choice.root == "/" || holds_home(choice.root, home, host)) {
    return error(ErrorCode::cannot_start,
                 fmt::format("the workspace would be {}, which holds your home directory", visible(choice.root)),
                 "start in a project directory, or name it: --sandbox-workspace " + shell_word(choice.root));
  }
  return choice;
}

}  // namespace paddock
