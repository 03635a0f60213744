#include "host/git_extent.h"

#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "base/entries.h"
#include "host/git_include.h"
#include "host/host_file.h"

namespace paddock {
namespace {

// Names of the directories in it, sorted. `directory` may itself be no link.
std::vector<std::string> directories_in(const std::string& directory) {
  std::vector<std::string> names;
  const Fd fd = open_directory(AT_FDCWD, directory.c_str());
  if (!fd.valid()) return names;
  std::vector<char> buffer(16 * 1024);
  for_each_entry(fd.get(), buffer, [&](const char* name, unsigned char type) {
    if (type == DT_DIR || (type == DT_UNKNOWN && look_at(path::join(directory, name)).kind == FileKind::directory)) {
      names.emplace_back(name);
    }
    return names.size() < git_directories_max;
  });
  std::sort(names.begin(), names.end());
  return names;
}

void collect_modules(const std::string& directory, int depth, std::vector<std::string>& found) {
  if (depth > git_module_depth_max) return;
  for (const std::string& name : directories_in(directory)) {
    if (found.size() >= git_directories_max) return;
    const std::string below = path::join(directory, name);
    if (look_at(path::join(below, "HEAD")).kind == FileKind::absent) {
      collect_modules(below, depth + 1, found);  // a name with a slash in it: modules/libs/x
      continue;
    }
    found.push_back(below);
    collect_modules(path::join(below, "modules"), depth + 1, found);
  }
}

// One line of objects/info/alternates, which git may have quoted as a C string.
std::string unquoted(std::string_view line) {
  if (line.size() < 2 || line.front() != '"' || line.back() != '"') return std::string(line);
  std::string text;
  const std::string_view inner = line.substr(1, line.size() - 2);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const bool is_octal = inner[i] == '\\' && i + 3 < inner.size() && inner[i + 1] >= '0' && inner[i + 1] <= '3';
    if (is_octal) {
      text += static_cast<char>((inner[i + 1] - '0') << 6 | ((inner[i + 2] - '0') & 7) << 3 | ((inner[i + 3] - '0') & 7));
      i += 3;
    } else if (inner[i] == '\\' && i + 1 < inner.size()) {
      const char c = inner[++i];
      text += c == 'n' ? '\n' : c == 't' ? '\t' : c;
    } else {
      text += inner[i];
    }
  }
  return text;
}

// Only what is a repository's: whoever can write the file could name any directory.
bool is_object_directory(const std::string& path) {
  const std::string repository = path::parent(path);
  return path::name(path) == "objects" && is_directory(path) && is_regular_file(path::join(repository, "HEAD")) && is_directory(path::join(repository, "refs"));
}

void collect_alternates(const std::string& objects, int depth, std::vector<std::string>& found) {
  if (depth > git_alternate_depth_max) return;
  const auto text = read_or_nothing(path::join(objects, "info/alternates"), git_config_bytes_max);
  if (!text) return;
  for (const std::string& line : split(*text, '\n')) {
    if (line.empty() || line.front() == '#' || found.size() >= git_directories_max) continue;
    const std::string named = unquoted(line);
    const auto real = real_path_of(path::is_absolute(named) ? named : path::join(objects, named));
    if (!real || !is_object_directory(*real) || std::find(found.begin(), found.end(), *real) != found.end()) continue;
    found.push_back(*real);
    collect_alternates(*real, depth + 1, found);
  }
}

// `named` as it lies inside the working tree or the git directory, absolute; empty when it lies elsewhere.
std::string inside_repository(const GitLayout& layout, const std::string& named, const std::string& base) {
  const std::string target = path::normal(named, base);
  const auto is_inside = [&](const std::string& path) {
    return path::is_within(path, layout.root) || path::is_within(path, layout.common_dir);
  };
  const std::string real = real_path_of(target).value_or(target);
  if (is_inside(real)) return real;
  return is_inside(target) ? target : "";
}

}  // namespace

std::vector<std::string> find_module_dirs(const std::string& git_dir, KnownFiles& files) {
  std::vector<std::string> found;
  const std::string modules = path::join(git_dir, "modules");
  if (files.kind(modules) == FileKind::directory) collect_modules(modules, 0, found);
  return found;
}

std::vector<std::string> find_worktree_dirs(const std::string& common_dir, KnownFiles& files) {
  const std::string directory = path::join(common_dir, "worktrees");
  std::vector<std::string> found;
  if (files.kind(directory) != FileKind::directory) return found;
  for (const std::string& name : directories_in(directory)) found.push_back(path::join(directory, name));
  return found;
}

std::vector<std::string> find_alternates(const std::string& common_dir, KnownFiles& files) {
  std::vector<std::string> found;
  const std::string objects = path::join(common_dir, "objects");
  if (files.look(path::join(objects, "info/alternates")).kind != FileKind::absent) collect_alternates(objects, 0, found);
  return found;
}

void read_git_settings(GitLayout& layout, const std::string& home, KnownFiles& files) {
  std::string hooks;
  const auto take = [&](const GitConfigEntry& entry) {
    if (entry.has_subsection) return;
    if (entry.section == "extensions" && entry.name == "worktreeconfig") {
      layout.worktree_config = git_boolean(entry.value).value_or(false);
    } else if (entry.section == "core" && entry.name == "hookspath") {
      hooks = entry.value.value_or("");
    }
  };
  // Whatever a condition says today, a file that may be included is one that git may follow.
  GitConfigReader reader({.home = home, .git_dir = {}, .git_dir_as_given = {}, .common_dir = {}},
                         Includes::followed_always, &files);
  reader.read(path::join(layout.common_dir, "config"), take);
  if (layout.worktree_config) reader.read(path::join(layout.git_dir, "config.worktree"), take);
  if (!hooks.empty()) layout.shared_hooks = inside_repository(layout, path::expand_home(hooks, home), layout.root);
  for (const std::string& file : reader.included()) {
    std::string inside = inside_repository(layout, file, "/");
    if (!inside.empty()) layout.included_configs.push_back(std::move(inside));
  }
}

}  // namespace paddock
