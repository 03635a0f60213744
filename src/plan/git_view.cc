#include "plan/git_view.h"

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"

namespace paddock {
namespace {

const Origin built_in{OriginKind::built_in, "built in: git"};

struct GitPart {
  std::string_view name;
  bool is_directory;
  WhenAbsent when_absent;
  std::string_view content;
  bool quarantine;
};

// Of every git directory that holds a configuration of its own.
constexpr GitPart common_parts[] = {
    {"hooks", true, WhenAbsent::hold, {}, true},
    {"config", false, WhenAbsent::check, {}, true},
    {"info/attributes", false, WhenAbsent::check, {}, true},
    {"info/grafts", false, WhenAbsent::check, {}, true},
    {"objects/info/alternates", false, WhenAbsent::hold, {}, true},  // empty: nothing is borrowed
    // "." is what git itself means without the file; anything else moves its configuration elsewhere.
    {"commondir", false, WhenAbsent::hold, ".\n", true},
    {"rebase-merge/git-rebase-todo", false, WhenAbsent::check, {}, false},
    {"rebase-apply", true, WhenAbsent::check, {}, false},
    {"sequencer/todo", false, WhenAbsent::check, {}, false},
};

// Of the main working tree, while a linked one is at work.
constexpr std::string_view main_tree_parts[] = {"HEAD", "index", "ORIG_HEAD", "MERGE_HEAD", "logs/HEAD"};

class GitProtection {
 public:
  GitProtection(Protector& protector, const HostView& host, const GitViewInput& input) : protector_(protector), host_(host), input_(input) {}

  void common(const std::string& directory, const std::string& tree) {
    host_.expect_many(directory);
    protector_.pin(directory, built_in);
    for (const GitPart& part : common_parts) protect_part(directory, tree, part);
    const GitPart worktree_config{"config.worktree", false, input_.layout.worktree_config ? WhenAbsent::hold : WhenAbsent::check, {}, true};
    protect_part(directory, tree, worktree_config);
  }

  void existing(const std::string& path, const std::string& tree) {
    if (host_.look(path).kind == FileKind::absent) return;
    protect(path, tree, {path, false, WhenAbsent::check, {}, false});
  }

  void linked() {
    const GitLayout& layout = input_.layout;
    for (const std::string_view part : main_tree_parts) existing(path::join(layout.common_dir, part), layout.common_dir);
    for (const char* part : {"gitdir", "commondir", "config.worktree"}) existing(path::join(layout.git_dir, part), layout.git_dir);
    if (layout.worktree_config && host_.look(path::join(layout.git_dir, "config.worktree")).kind == FileKind::absent) {
      protect_part(layout.git_dir, layout.git_dir, {"config.worktree", false, WhenAbsent::hold, {}, true});
    }
  }

  void other_worktrees() {
    for (const std::string& other : input_.layout.worktree_dirs) {
      if (other != input_.layout.git_dir) existing(other, input_.layout.common_dir);
    }
  }

 private:
  void protect_part(const std::string& directory, const std::string& tree, const GitPart& part) {
    protect(path::join(directory, part.name), tree, part);
  }

  void protect(const std::string& path, const std::string& tree, const GitPart& part) {
    // People opt out by the name that they see: ".git/config".
    const std::string below = path::is_within(path, input_.layout.common_dir) ? path::relative(path, input_.layout.common_dir) : path;
    protector_.protect({tree, path, ".git/" + below, part.is_directory, part.when_absent, std::string(part.content), part.quarantine, true, built_in});
  }

  Protector& protector_;
  const HostView& host_;
  const GitViewInput& input_;
};

void show_directory(MountTable& table, const HostView& host, const std::string& path, bool writable, std::string reason) {
  if (path.empty() || (writable ? table.is_writable(path) : table.is_visible(path))) return;
  const HostFile file = host.look(path);
  if (file.kind != FileKind::directory) return;
  table.show(path, file, writable ? MountAccess::read_write : MountAccess::read_only, writable ? Strength::writable : Strength::read_only, std::move(reason), built_in);
}

}  // namespace

void claim_git_directories(MountTable& table, const HostView& host, const GitViewInput& input) {
  const GitLayout& layout = input.layout;
  const bool writable = input.writable && input.follows && layout.kind != GitKind::linked_directory;
  if (layout.kind == GitKind::none || layout.kind == GitKind::broken) return;
  show_directory(table, host, layout.common_dir, writable, "the repository that this working tree belongs to");
  show_directory(table, host, layout.git_dir, writable, "this working tree's part of its repository");
  for (const std::string& borrowed : layout.alternates) show_directory(table, host, borrowed, false, "objects that the repository borrows");
}

void protect_git(Protector& protector, const HostView& host, const GitViewInput& input) {
  const GitLayout& layout = input.layout;
  if (!input.writable || input.mode == GitMode::real) return;
  GitProtection protection(protector, host, input);
  switch (layout.kind) {
    case GitKind::none:
    case GitKind::broken:
      // No repository may appear where none is: the host would follow it.
      protector.protect({layout.root, path::join(layout.root, ".git"), ".git", true, WhenAbsent::check, {}, true, false, built_in});
      return;
    case GitKind::linked_directory:
      protector.protect({layout.root, layout.dot_git, ".git", true, WhenAbsent::check, {}, true, false, built_in});
      return;
    case GitKind::directory:
      protection.common(layout.common_dir, layout.root);
      break;
    case GitKind::linked_worktree:
      protector.protect({layout.root, layout.dot_git, ".git", false, WhenAbsent::check, {}, true, false, built_in});
      protection.common(layout.common_dir, layout.common_dir);
      protection.linked();
      break;
    case GitKind::submodule:
      protector.protect({layout.root, layout.dot_git, ".git", false, WhenAbsent::check, {}, true, false, built_in});
      protection.common(layout.git_dir, layout.git_dir);
      break;
  }
  protection.other_worktrees();
  for (const std::string& module : layout.module_dirs) protection.common(module, layout.common_dir);
  // The configuration itself is protected; so is every file that it takes in.
  for (const std::string& included : layout.included_configs) {
    const std::string tree = path::is_within(included, layout.root) ? layout.root : layout.common_dir;
    protector.protect({tree, included, path::relative(included, tree), false, WhenAbsent::hold, {}, true, true, built_in});
  }
  if (!layout.shared_hooks.empty()) {
    protector.protect({layout.root, layout.shared_hooks, path::relative(layout.shared_hooks, layout.root), true, WhenAbsent::hold, {}, true, true, built_in});
  }
}

std::vector<Relaxation> git_relaxations(const GitLayout& layout) {
  const Origin origin{OriginKind::derived, "the repository"};
  std::vector<Relaxation> all;
  for (const std::string& borrowed : layout.alternates) {
    all.push_back({"git_alternates", fmt::format("{} is readable: the repository borrows objects from it", visible(borrowed)), origin});
  }
  if (layout.kind == GitKind::linked_directory) {
    all.push_back({"git_link", fmt::format("{} is readable: .git is a link to it", visible(layout.git_dir)), origin});
  }
  return all;
}

std::string git_config_line(const std::string& key, const std::string& value) {
  const auto first = key.find('.');
  const auto last = key.rfind('.');
  std::string line = "[" + key.substr(0, first);
  const auto quote = [](std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
      if (c == '\n') out += "\\n";
      else if (c == '"' || c == '\\') out += std::string("\\") + c;
      else out += c;
    }
    return out + "\"";
  };
  if (first != last) line += " " + quote(key.substr(first + 1, last - first - 1));
  return line + "]\n\t" + key.substr(last + 1) + " = " + quote(value) + "\n";
}

std::vector<std::pair<std::string, std::string>> git_overrides() {
  return {
      {"branch.autoSetupMerge", "false"},  // switching branches must not write the protected configuration
      {"commit.gpgSign", "false"},         // signing programs and their keys are not inside
      {"tag.gpgSign", "false"},
      {"gc.worktreePruneExpire", "never"},  // other worktrees are hidden, not gone
      {"submodule.recurse", "false"},
  };
}

}  // namespace paddock
