#include "host/git_layout.h"

#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "host/git_config.h"
#include "host/git_extent.h"
#include "host/host_file.h"

namespace paddock {
namespace {

// What git asks of a git directory: a HEAD, which may be a link to a branch that isn't born, and
// objects and refs, its own or those of the directory that it shares.
bool is_git_dir(const std::string& directory, const std::string& common, KnownFiles& files) {
  const FileKind head = files.kind(path::join(directory, "HEAD"));
  if (head != FileKind::file && head != FileKind::link) return false;
  const auto leads_to_directory = [&](const char* name) {
    const std::string place = path::join(common, name);
    const FileKind kind = files.kind(place);
    return kind == FileKind::directory || (kind == FileKind::link && is_directory(place));
  };
  return leads_to_directory("objects") && leads_to_directory("refs");
}

// The directory named by a git directory's "commondir" file, or itself without one.
std::string common_dir_of(const std::string& git_dir, KnownFiles& files) {
  const auto text = files.read(path::join(git_dir, "commondir"), git_pointer_bytes_max);
  if (!text) return git_dir;
  const std::string named(trim(*text));
  const std::string target = path::is_absolute(named) ? named : path::join(git_dir, named);
  return files.real_path(target).value_or(path::normal(target));
}

// Sets git_dir and common_dir if `real`, a path without links, is a git directory.
bool enter_real(GitLayout& layout, const std::string& real, KnownFiles& files) {
  files.expect_many(real);
  const std::string common = common_dir_of(real, files);
  if (!is_git_dir(real, common, files)) return false;
  layout.git_dir = real;
  layout.common_dir = common;
  return true;
}

bool enter(GitLayout& layout, const std::string& candidate, KnownFiles& files) {
  const auto real = files.real_path(candidate);
  return real && enter_real(layout, *real, files);
}

void break_off(GitLayout& layout, std::string problem) {
  layout.kind = GitKind::broken;
  layout.git_dir.clear();
  layout.common_dir.clear();
  layout.problem = std::move(problem);
}

// Whoever can write a pointer can point anywhere. A repository is only taken for this tree's if it says so
// itself: a linked one's git directory names the pointer (gitrepository-layout(5), "gitdir")...
bool names_pointer(const GitLayout& layout) {
  if (path::parent(layout.git_dir) != path::join(layout.common_dir, "worktrees")) return false;
  const auto text = read_or_nothing(path::join(layout.git_dir, "gitdir"), git_pointer_bytes_max);
  if (!text) return false;
  const std::string named(trim(*text));
  const auto back = real_path_of(path::is_absolute(named) ? named : path::join(layout.git_dir, named));
  return back && back == real_path_of(layout.dot_git);
}

// ... and a submodule's configuration names its working tree (core.worktree).
bool names_tree(const GitLayout& layout) {
  const auto text = read_or_nothing(path::join(layout.git_dir, "config"), git_config_bytes_max);
  if (!text) return false;
  std::string named;
  for (const GitConfigEntry& entry : parse_git_config(*text).entries) {
    if (entry.section == "core" && !entry.has_subsection && entry.name == "worktree") named = entry.value.value_or("");
  }
  if (named.empty()) return false;
  return real_path_of(path::is_absolute(named) ? named : path::join(layout.git_dir, named)) == layout.root;
}

// A `.git` file: "gitdir: PATH", relative to the directory that it lies in.
void follow_pointer(GitLayout& layout, KnownFiles& files) {
  const auto text = read_or_nothing(layout.dot_git, git_pointer_bytes_max);
  constexpr std::string_view word = "gitdir:";
  if (!text || !text->starts_with(word)) {
    return break_off(layout, layout.dot_git + " is a file but not a pointer to a repository");
  }
  std::string_view named = std::string_view(*text).substr(word.size());
  named = named.substr(0, named.find('\n'));
  while (named.starts_with(' ')) named.remove_prefix(1);
  while (named.ends_with('\r')) named.remove_suffix(1);
  // A name that ends in a space is taken as written first, then as somebody's editor left it.
  for (const std::string_view form : {named, trim(named)}) {
    const std::string target(form);
    if (target.empty() || target.find('\0') != std::string::npos) continue;
    if (!enter(layout, path::is_absolute(target) ? target : path::join(layout.root, target), files)) continue;
    const bool is_submodule = layout.git_dir == layout.common_dir;
    if (!(is_submodule ? names_tree(layout) : names_pointer(layout))) {
      return break_off(layout, layout.dot_git + " points to " + std::string(layout.git_dir) + ", which does not point back (git worktree repair mends that)");
    }
    layout.kind = is_submodule ? GitKind::submodule : GitKind::linked_worktree;
    return;
  }
  break_off(layout, layout.dot_git + " points to " + std::string(trim(named)) + ", which is not a repository");
}

// Looks at root/.git; the kind stays `none` when there is none.
void look_in(GitLayout& layout, KnownFiles& files) {
  const HostFile dot_git = files.look(layout.dot_git);
  switch (dot_git.kind) {
    case FileKind::absent: return;
    case FileKind::directory:
      layout.kind = GitKind::directory;
      if (!enter_real(layout, layout.dot_git, files)) break_off(layout, layout.dot_git + " is a directory but not a repository");
      else if (layout.common_dir != layout.git_dir) break_off(layout, layout.dot_git + "/commondir leads to another repository");
      return;
    case FileKind::link:
      if (is_regular_file(layout.dot_git)) return follow_pointer(layout, files);
      layout.kind = GitKind::linked_directory;
      if (!enter(layout, layout.dot_git, files)) {
        break_off(layout, layout.dot_git + " is a link to " + dot_git.link_target + ", which is not a repository");
      }
      return;
    case FileKind::file: return follow_pointer(layout, files);
    default: break_off(layout, layout.dot_git + " is neither a directory nor a file");
  }
}

// A bare repository, which is its own git directory.
bool look_for_bare(GitLayout& layout, KnownFiles& files) {
  if (files.kind(path::join(layout.root, "HEAD")) == FileKind::absent || !enter_real(layout, layout.root, files)) return false;
  if (layout.common_dir != layout.git_dir) return false;
  layout.kind = GitKind::directory;
  layout.dot_git = layout.root;
  return true;
}

// The layout without its extent, or kind `none`.
GitLayout discover(const std::string& start, const std::string& home, KnownFiles& files) {
  const HostFile first = files.look(start);
  GitLayout broken;
  for (std::string at = start;; at = path::parent(at)) {
    const HostFile here = at == start ? first : files.look(at);
    const bool may_pass = at == start || (at != home && here.owner == first.owner &&
                                          here.identity.device == first.identity.device);
    if (here.kind != FileKind::directory || !may_pass) return broken;
    GitLayout layout;
    layout.root = at;
    layout.dot_git = path::join(at, ".git");
    look_in(layout, files);
    if (layout.kind == GitKind::none && look_for_bare(layout, files)) return layout;
    const bool is_true = layout.kind != GitKind::none && layout.kind != GitKind::broken;
    // Git gives up at a pointer that leads nowhere; whatever else is called .git it passes over.
    if (is_true || (layout.kind == GitKind::broken && is_regular_file(layout.dot_git))) return layout;
    if (layout.kind == GitKind::broken && broken.kind == GitKind::none) broken = std::move(layout);
    if (at == home || at == "/") return broken;
  }
}

}  // namespace

GitLayout find_git_layout(const std::string& directory, const std::string& home, KnownFiles& files) {
  const auto start = files.real_path(directory);
  if (!start) return {};
  GitLayout layout = discover(*start, files.real_path(home).value_or(home), files);
  if (layout.kind == GitKind::none) return {};
  if (layout.kind == GitKind::broken) return layout;
  layout.module_dirs = find_module_dirs(layout.common_dir, files);
  if (layout.git_dir != layout.common_dir) {
    std::vector<std::string> own = find_module_dirs(layout.git_dir, files);
    layout.module_dirs.insert(layout.module_dirs.end(), own.begin(), own.end());
  }
  layout.worktree_dirs = find_worktree_dirs(layout.common_dir, files);
  layout.alternates = find_alternates(layout.common_dir, files);
  read_git_settings(layout, home, files);
  return layout;
}

}  // namespace paddock
