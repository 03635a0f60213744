// What doctor's checks are made from: facts of one moment on one machine, as plain data. The *_facts.cc files ask
// the machine; in tests they are literals.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/host_hints.h"
#include "plan/host_view.h"

namespace paddock::doctor {

struct KernelFacts {
  std::string release;    // of uname(2)
  int landlock_abi = 0;   // 0: none
  int landlock_error = 0; // errno then: ENOSYS, or EOPNOTSUPP when it was not chosen at boot
  bool has_seccomp_filter = false;
  bool has_seccomp_notify = false;
  bool has_overlay = false;  // loaded now
  bool has_idmapped_mounts = false;
  friend bool operator==(const KernelFacts&, const KernelFacts&) = default;
};

// The kernel's answer when it is asked for a user namespace and one more in it; 0 or an errno.
struct NamespaceTrials {
  int user = 0;  // and then to act as its owner
  std::map<std::string, int> kinds;  // "net", "pid", "mnt", "ipc", "uts", "cgroup"
};

struct BackendFacts {
  std::string name;
  bool is_part = true;   // of this version
  bool is_listed = true; // among those that a start tries
  ProbeReport report;
  std::vector<Missing> unmet;  // of what the default profile needs; empty: it holds it
};

enum class Heard { yes, too_slow, failed, not_asked };

struct VisiblePath {
  std::string path;
  std::string access;  // "rw", "ro", or "hidden"
};

struct HarnessFacts {
  std::string id;
  std::string display;
  std::string unreadable;  // its manifest's fault; then nothing else is known
  Executable program;
  Heard version_heard = Heard::not_asked;
  std::string version;
  std::string version_problem;
  Heard flags_heard = Heard::not_asked;
  std::vector<std::string> flags_missing;
  std::vector<std::string> login_files;      // names, never their content
  std::vector<std::string> login_variables;
  std::vector<VisiblePath> visible;          // its state in the default sandbox
  std::string plan_problem;                  // why no sandbox can be planned for it
};

struct GitSurroundings {
  std::string program;  // absolute; empty: not on PATH
  std::string said;     // by --version
  std::string problem;  // why it said nothing
  GitLayout layout;     // of the current directory
  bool is_foreign = false;  // the repository belongs to another user
  bool is_trusted = false;  // although foreign: safe.directory names it
  std::string name;     // user.name as it holds here
  std::string email;
  bool lfs_wanted = false;     // the repository's attributes name it
  bool lfs_around = false;     // configured in the user's or the system's files
  bool lfs_own = false;        // configured in the repository's own file
  std::string lfs_program;     // git-lfs, absolute
};

struct TerminalFacts {
  bool is_terminal = false;  // standard output or error
  std::string type;          // TERM
  bool has_description = false;  // of that type, where a sandbox shows it
  int rows = 0, columns = 0;
  std::string locale;        // LC_ALL, LC_CTYPE or LANG, the first that is set
  std::string multiplexer;   // "tmux", "screen", "zellij"; empty: none
  std::string multiplexer_version;
  std::string passthrough;   // tmux's allow-passthrough: "on", "off", "all"; empty: unknown
};

struct DirectoryFacts {
  std::string role;   // "config", "data", "state", "cache", "runtime"
  std::string path;
  bool exists = false;
  std::string asked;  // the directory that was looked at: itself, or the nearest that exists above it
  int error = 0;      // errno of making a file there; 0: it can be written
  std::uint32_t owner = 0;
  std::uint32_t mode = 0;
  std::string file_system;  // "ext4", "nfs", or the type number
  bool refuses_programs = false;  // mounted noexec
  std::uint64_t bytes_free = 0;
  std::uint64_t files_free = 0;
  bool counts_files = false;  // file systems without a fixed number of files say 0
};

struct NamedFile {
  std::string variable;
  std::string path;
  bool exists = false;
  bool is_visible = false;  // in the default sandbox
  bool is_passed = false;   // the variable, there
};

struct NetworkFacts {
  std::vector<std::string> bundles;     // certificate authorities of the system that exist
  std::vector<NamedFile> certificates;  // that variables name
  std::string resolver;                 // where /etc/resolv.conf leads; empty: nowhere
  std::vector<std::string> name_servers;
  std::vector<std::pair<std::string, bool>> proxies;  // variables that are set, and whether they are passed
};

struct InstallFacts {
  std::string program;        // this one
  std::string version;        // of this one
  std::string warden;         // where it is expected
  bool has_warden = false;
  std::string warden_said;    // by --version
  std::string warden_problem; // why it said nothing
  bool is_in_workspace = false;     // a sandbox started here could write this program
  bool is_open_to_others = false;   // others than its owner can
};

struct Facts {
  std::uint32_t uid = 0;
  bool real_root = false;
  HostSettings settings;  // with the distribution
  KernelFacts kernel;
  NamespaceTrials namespaces;
  std::string profile = "balanced";  // the default one
  std::string config_file;
  std::string config_problem;  // why the configuration cannot be used
  std::vector<BackendFacts> backends;
  std::vector<HarnessFacts> harnesses;
  GitSurroundings git;
  TerminalFacts terminal;
  std::vector<DirectoryFacts> directories;
  NetworkFacts network;
  InstallFacts install;
};

}  // namespace paddock::doctor
