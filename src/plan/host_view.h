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
  bool real_root = false;  // kernel uid 0, in whatever user namespace: limits and file owners do not bind it as they do a user
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
  std::string shared_hooks;                 // core.hooksPath if it lies inside the working tree or common_dir, absolute
  std::vector<std::string> included_configs;  // files in either that the repository's config may include, there or not
  std::string problem;                      // of a broken one, in words
};

// The configuration that a sandbox gets instead of the user's files: an allowlist of keys with the
// values that hold for this repository (includes and conditional includes followed). Of the files
// around the repository (system and global) only; its own configuration is read inside as it is.
// Sorted by key; section and variable in lower case, everything between the first and the last dot is
// the subsection as written. A value may hold any byte but NUL: whoever writes it quotes it.
using GitIdentity = std::vector<std::pair<std::string, std::string>>;

// What the user's git does on the host and won't do inside, so that it can be said.
struct GitFacts {
  bool signs_commits = false;       // commit.gpgSign, in the files around the repository or its own
  bool signs_tags = false;          // tag.gpgSign, likewise
  bool credential_helpers = false;  // any credential.*helper
  bool url_rewrites = false;        // any url.*.insteadOf or pushInsteadOf
  bool hooks_path = false;          // core.hooksPath around the repository
  bool shell_aliases = false;       // an alias that starts with "!"
  std::vector<std::string> filters;   // names of filter drivers around the repository ("lfs"), sorted
  std::vector<std::string> problems;  // "/home/u/.gitconfig, line 3, cannot be understood"
  friend bool operator==(const GitFacts&, const GitFacts&) = default;
};

// shim_unresolved: a version manager's stand-in that only the manager can resolve; `real` is then the
// stand-in, `detail` says what to do, and with `needs` it may still run.
enum class ExecutableProblem { none, not_found, not_executable, interpreter_missing, shim_unresolved };

// A version manager's directory on PATH, and the one of the program that its shim runs.
struct ShimDirectory {
  std::string shims;
  std::string programs;
  friend bool operator==(const ShimDirectory&, const ShimDirectory&) = default;
};

// A command found on the host as execvp(3) would, and everything that it leads to.
struct Executable {
  ExecutableProblem problem = ExecutableProblem::none;
  std::string detail;                  // which interpreter, which file
  std::string found;                   // first hit on PATH, or the path as given, absolute
  std::string program;                 // what to execute: `found`, or what a shim there runs
  std::vector<ShimDirectory> shims;    // of the command and its interpreters: `programs` is searched before `shims`
  std::string real;                    // every link resolved (a version manager's shim: what it runs)
  std::vector<std::string> chain;      // each link on the way, absolute, then `real`
  std::string interpreter;             // of a script's "#!" line or an ELF file's PT_INTERP; may be empty
  std::string interpreter_program;     // "node" of "#!/usr/bin/env node"
  // What to show read-only, at the same path, so that it can run: directories, or a single file where
  // its directory must stay hidden (the home directory and the like). Nothing below /usr, /bin, /sbin,
  // /lib*, /opt. The links of `chain` are not among them: they are to be made again.
  std::vector<std::string> needs;
};

// A directory made ready to be shown as /etc: private copies of the small files and directories of the
// host's that `names` allows (absent ones are left out; a name may hold one "*"), with the links among
// them, `files` written as given, and an empty place for each of `places` that exists on the host.
struct EtcRequest {
  std::vector<std::string> names;
  std::vector<std::pair<std::string, std::string>> files;  // name, content
  std::vector<std::pair<std::string, std::string>> links;  // path below /etc, link text
  std::vector<std::string> places;                         // names that are mounted over later
};

class HostView {
 public:
  virtual ~HostView() = default;
  virtual HostFile look(const std::string& path) const = 0;
  // Every link resolved, as realpath(3); nothing when absent, in a loop or not permitted.
  virtual std::optional<std::string> real_path(const std::string& path) const = 0;
  // Names in a directory without "." and "..", sorted; empty when it cannot be read. At most 1 << 20.
  virtual std::vector<std::string> list(const std::string& directory) const = 0;
  // Many names of this directory will be looked for, most of them absent: it may be listed once instead.
  virtual void expect_many(const std::string& directory) const { (void)directory; }
  // Every path below `roots` that matches one of `patterns` (absolute, with wildcards): real paths, links
  // to directories followed once, bounded by `entries_max`. `roots` are all the trees that will be in
  // view: a link is followed only where it leads below one of them. See host/pattern_walk.h.
  virtual Result<std::vector<std::string>> match(const std::vector<std::string>& roots,
                                                 const std::vector<std::string>& patterns) const = 0;
  virtual GitLayout git_layout(const std::string& directory) const = 0;
  virtual GitIdentity git_identity(const GitLayout& layout) const = 0;
  virtual GitFacts git_facts(const GitLayout& layout) const = 0;
  virtual Executable find_executable(const std::string& name, const std::string& search_path) const = 0;
  // What to show read-only so that the tools on that PATH work: directories and files, and links (see
  // `look`) that are to be made again. Nothing below /usr, /bin, /sbin, /lib*, /opt; never the home
  // directory, an ancestor of it, or a directory known to hold credentials.
  virtual std::vector<std::string> toolchain_roots(const std::string& search_path) const = 0;
  virtual HostUser user() const = 0;
  // Whether a program accepts connections at that socket now (stream sockets; a full queue counts as yes).
  virtual bool answers(const std::string& socket) const {
    (void)socket;
    return true;
  }
  // The paths at which programs listen on sockets of the file system, as they were given to bind(2): some are
  // relative. Sorted; of the host's own network namespace, which is where the kernel counts them (unix(7)).
  virtual std::vector<std::string> listening_sockets() const { return {}; }
  // Absolute paths that Unix sockets are bound to, listening or not, sorted; what lies there now may be
  // something else, or nothing. Errors: the kernel's list cannot be read.
  virtual Result<std::vector<std::string>> bound_sockets() const = 0;
  // The absolute path of that directory, below Paddock's own state. The same request on an unchanged
  // machine gives the same path, found by a look at each source.
  virtual Result<std::string> etc_view(const EtcRequest& request) const {
    (void)request;
    return error(ErrorCode::cannot_start, "this view of the machine has no /etc to show");
  }
};

}  // namespace paddock
