// The complete, backend-neutral description of one sandbox: absolute paths, mounts in the order in
// which they apply, no pattern, no "~", no secret value. A plain value; it never changes while its
// sandbox runs. Its JSON form (codec.h) carries `plan_version`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/file.h"
#include "plan/guarantee.h"
#include "plan/host_view.h"
#include "policy/policy.h"

namespace paddock {

inline constexpr int plan_version = 1;
inline constexpr std::size_t mounts_max = 20'000;

enum class MountKind {
  bind,            // source shown at target
  temporary,       // an empty file system in memory
  processes,       // the sandbox's own /proc
  devices,         // a minimal /dev with its own pts
  link,            // a symbolic link whose text is `source`
  directory,       // an empty directory
  data,            // a file with `content`, a private copy
  mask_directory,  // an empty, read-only directory over what is there
  mask_file,       // an empty, read-only file over what is there
};

enum class MountAccess { read_only, read_write };

// Whose rights the payload has on what a bind shows, where real root started the sandbox and the payload
// is not root to the kernel. (Otherwise it has its own, as ever.)
enum class SeenAs {
  owner,   // those of the source's owner and group, whose files new ones are too: what a person grants
  others,  // what everybody has: the system's files
};

struct Mount {
  MountKind kind = MountKind::bind;
  std::string target;
  std::string source;      // of a bind or a link
  MountAccess access = MountAccess::read_only;
  bool is_directory = true;     // what a bind shows
  FileIdentity identity;        // of a bind's source
  std::uint64_t bytes_max = 0;  // of a temporary one
  std::uint32_t mode = 0755;    // of what is created inside
  std::string content;          // of data; never a secret
  std::string reason;           // "system", "workspace", "protected: .git/hooks", ...
  Origin origin;
  SeenAs seen_as = SeenAs::owner;  // of a bind
  friend bool operator==(const Mount&, const Mount&) = default;
};

enum class ValueSource { literal, host, given };

// One variable of the payload. Only a literal has its value here; the others are filled at start
// from the host's environment, or from what was given by flag, file or configuration.
struct Variable {
  std::string name;
  ValueSource source = ValueSource::literal;
  std::string value;
  Origin origin;
  friend bool operator==(const Variable&, const Variable&) = default;
};

struct Relaxation {
  std::string name;    // stable: "network_on", "grant_docker_socket"
  std::string reason;  // what it opens, for a person
  Origin origin;
  friend bool operator==(const Relaxation&, const Relaxation&) = default;
};

// A protected name that no mount can hold: absent, or a symbolic link. `hold`: created before the
// start, journalled, removed after; otherwise compared when the run has ended.
struct AbsentProtection {
  std::string path;
  std::string link_target;  // it was this link; empty: it was absent
  bool hold = false;
  bool is_directory = false;
  std::string content;  // of a held file
  bool quarantine = false;  // moved aside if it is there at the end
  Origin origin;
  friend bool operator==(const AbsentProtection&, const AbsentProtection&) = default;
};

// A file or directory of the harness that is created on the host before the first run.
struct Seed {
  std::string path;
  bool is_directory = true;
  std::string content;
  std::string copy_from;  // instead of content, if it exists
  friend bool operator==(const Seed&, const Seed&) = default;
};

// What became of one mask or grant as it was said, for `explain`.
struct RuleOutcome {
  std::string rule;
  std::string outcome;  // "applied to 3 paths", "absent: nothing to hide", "below a file: nothing to hide"
  Origin origin;
  friend bool operator==(const RuleOutcome&, const RuleOutcome&) = default;
};

struct PlanLimits {
  std::uint64_t memory_bytes = 0;  // 0: none, in each
  std::uint64_t cpu_milli = 0;
  std::uint64_t processes = 0;
  std::uint64_t wall_time_ms = 0;
  friend bool operator==(const PlanLimits&, const PlanLimits&) = default;
};

struct PlanUser {
  std::uint32_t uid = 0;  // inside
  std::uint32_t gid = 0;
  std::string name;
  std::string home;
  std::string shell;
  bool real_root = false;    // started by kernel uid 0
  bool kernel_root = false;  // and the payload is that too: kernel_uid_unprivileged was given up
  friend bool operator==(const PlanUser&, const PlanUser&) = default;
};

// The launcher takes another kernel id before the backend starts (sandbox/stage.h).
inline bool drops_kernel_uid(const PlanUser& user) { return user.real_root && !user.kernel_root; }

struct Plan {
  std::string profile;
  std::string harness;  // "generic" for a plain command
  bool hosted_model = false;
  std::string workspace;
  WorkspaceAccess workspace_access = WorkspaceAccess::read_write;
  std::string directory;  // where the command starts
  std::vector<std::string> command;
  PlanUser user;
  NetworkMode network = NetworkMode::off;
  Nested nested = Nested::off;
  GitMode git = GitMode::protected_parts;
  GitKind git_kind = GitKind::none;
  std::vector<Mount> mounts;
  std::string ssh_agent;  // source of the mount that shows the SSH agent's socket; empty: none
  std::vector<Variable> environment;
  PlanLimits limits;
  Guarantees required;
  std::vector<Relaxation> relaxations;
  std::vector<std::string> notes;     // facts worth a line: "commit signing is off inside"
  std::vector<AbsentProtection> absent;
  std::vector<Seed> seeds;
  std::vector<RuleOutcome> outcomes;
  // Scalars of the policy with their origins, for `explain`: {"network", "on", origin}.
  struct Choice {
    std::string name;
    std::string value;
    Origin origin;
    friend bool operator==(const Choice&, const Choice&) = default;
  };
  std::vector<Choice> choices;
  friend bool operator==(const Plan&, const Plan&) = default;
};

}  // namespace paddock
