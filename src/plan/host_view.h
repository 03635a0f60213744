// The read-only view of the machine that `resolve` asks: the real one (host/real_host.h) or a
// literal in tests (plan/literal_host.h). Answers are facts of one moment; whatever is used of them is
// recorded in the plan and compared again inside the sandbox before anything runs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/result.h"

namespace paddock {

enum class FileKind { absent, file, directory, link, socket, fifo, device, unreadable };

// One path, its last component not followed.
struct HostFile {
  FileKind kind = FileKind::absent;
  FileIdentity identity;
  std::uint32_t owner = 0;
  std::uint32_t group = 0;
  std::uint32_t mode = 0;  // permission bits, 07777
  std::uint64_t links = 1;
  std::string link_target;  // of a link, as written
  friend bool operator==(const HostFile&, const HostFile&) = default;
};

struct HostUser {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::string name;   // of the passwd entry; "user" without one
  std::string group;  // "group" without one
  std::string home;   // absolute: $HOME if usable, else the passwd entry's, else "/"
  std::string shell;  // absolute
  std::vector<std::string> powerful_groups;  // of the supplementary ones: docker, disk, kvm, adm, libvirt, lxd, sudo, ...
  bool real_root = false;  // kernel uid 0: limits and file owners do not bind it as they do a user
};

enum class GitKind { none, directory, linked_worktree, submodule, linked_directory, broken };

// How the repository around a directory is laid out. All paths absolute and real (links resolved),
// except `dot_git`, which is where the pointer lies.
struct GitLayout {
  GitKind kind = GitKind::none;
  std::string root;        // of the working tree
  std::string dot_git;     // root + "/.git": a directory, a pointer file or a link
  std::string git_dir;     // HEAD and index of this working tree
  std::string common_dir;  // objects, refs, config
  bool worktree_config = false;             // extensions.worktreeConfig
  std::vector<std::string> module_dirs;     // git directories below common_dir/modules, at any depth
  std::vector<std::string> worktree_dirs;   // common_dir/worktrees/*
  std::vector<std::string> alternates;      // object directories borrowed from, transitively
  std::string shared_hooks;                 // core.hooksPath if it lies inside the working tree, absolute
  std::string problem;                      // of a broken one, in words
};

// The configuration that a sandbox gets instead of the user's files: an allowlist of keys with the
// values that hold for this repository (includes and conditional includes followed).
using GitIdentity = std::vector<std::pair<std::string, std::string>>;

enum class ExecutableProblem { none, not_found, not_executable, interpreter_missing, shim_unresolved };

// A command found on the host as execvp(3) would, and everything that it leads to.
struct Executable {
  ExecutableProblem problem = ExecutableProblem::none;
  std::string detail;                  // which interpreter, which file
  std::string found;                   // first hit on PATH, or the path as given, absolute
  std::string real;                    // every link resolved (a version manager's shim: what it runs)
  std::vector<std::string> chain;      // each link on the way, absolute, then `real`
  std::string interpreter;             // of a script's "#!" line or an ELF file's PT_INTERP; may be empty
  std::string interpreter_program;     // "node" of "#!/usr/bin/env node"
  std::vector<std::string> needs;      // directories to show read-only so that it can run
};

class HostView {
 public:
  virtual ~HostView() = default;
  virtual HostFile look(const std::string& path) const = 0;
  // Every link resolved, as realpath(3); nothing when absent, in a loop or not permitted.
  virtual std::optional<std::string> real_path(const std::string& path) const = 0;
  // Names in a directory without "." and "..", sorted; empty when it cannot be read. At most 1 << 20.
  virtual std::vector<std::string> list(const std::string& directory) const = 0;
  // Every path below `roots` that matches one of `patterns` (absolute, with wildcards): real paths, links
  // to directories followed once, bounded by `entries_max`. See host/pattern_walk.h.
  virtual Result<std::vector<std::string>> match(const std::vector<std::string>& roots,
                                                 const std::vector<std::string>& patterns) const = 0;
  virtual GitLayout git_layout(const std::string& directory) const = 0;
  virtual GitIdentity git_identity(const GitLayout& layout) const = 0;
  virtual Executable find_executable(const std::string& name, const std::string& search_path) const = 0;
  virtual HostUser user() const = 0;
};

}  // namespace paddock
