// The one function of the program that starts a process.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace paddock {

struct DescriptorMove {
  int ours = -1;    // borrowed; stays open here
  int childs = -1;  // its number in the child, which gets no others
};

struct ResourceLimit {
  int resource = 0;  // RLIMIT_*
  rlimit value{};
};

// A mount namespace of the child's own, in which a file system of ours lies at `place` with trees on it.
// For real root only (CAP_SYS_ADMIN and CAP_SETUID in the initial user namespace).
struct SpawnStage {
  struct Tree {
    int tree = -1;     // open_tree(2) with OPEN_TREE_CLONE: attached nowhere yet; borrowed
    std::string name;  // where it goes in the file system; is there already
  };
  int file_system = -1;  // fsmount(2); borrowed
  std::string place;     // an existing directory of the host's; what it holds is out of the child's sight
  std::vector<Tree> trees;
  uid_t id = 0;  // user and group that the child has from then on, without capabilities and groups
};

// What the child is, as plain data. The caller's strings outlive the call.
struct SpawnRequest {
  int program = -1;        // executed by descriptor when >= 0 (fexecve), else by `program_path`
  std::string program_path;
  std::vector<std::string> argv;
  std::vector<std::string> environment;  // exactly this, "NAME=value"
  std::string working_directory;         // empty: unchanged
  std::vector<DescriptorMove> descriptors;
  std::vector<int> joins;                // cgroup.procs files, open for writing: the child enters each first
  std::vector<ResourceLimit> limits;     // soft and hard; lowering only, except for root
  bool own_session = true;               // setsid: never in the user's session
  bool dies_with_parent = true;          // SIGKILL when the calling *thread* ends (prctl(2)): main thread only
  bool own_keyring = true;               // a new anonymous session keyring, so the login's stays behind
  bool no_groups = true;                 // setgroups(0) where that is allowed (real root)
  const SpawnStage* stage = nullptr;     // null: the caller's mounts and ids
};

// A child process that is ours to reap. Destroying a running one kills and reaps it.
class [[nodiscard]] Child {
 public:
  Child() = default;
  Child(pid_t pid, Fd pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}
  Child(Child&& other) noexcept : pid_(std::exchange(other.pid_, -1)), pidfd_(std::move(other.pidfd_)) {}
  Child& operator=(Child&& other) noexcept;
  ~Child();

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int pidfd() const { return pidfd_.get(); }  // readable once it has ended
  void kill(int signal) const;
  // Blocks until it has ended; the wait(2) status. Later calls are an error of the caller's.
  int wait();
  // The status if it has ended.
  std::optional<int> poll();

 private:
  pid_t pid_ = -1;
  Fd pidfd_;
};

// Starts it; returns once exec has succeeded. Signals have their default action and none is blocked
// in the child. Errors: cannot_start, not_found (ENOENT of the program), not_executable (EACCES, ENOEXEC).
Result<Child> spawn(const SpawnRequest& request);

// Replaces this process by that program with this process's descriptors and session; returns only on failure.
Error replace_process(const std::string& program_path, const std::vector<std::string>& argv,
                      const std::vector<std::string>& environment);

}  // namespace paddock
