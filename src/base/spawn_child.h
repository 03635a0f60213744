// The step of a new process between clone and exec, as plain data.
//
// Rules for everything in spawn_child.cc and spawn_stage.cc: the child shares the parent's memory while the parent
// waits (CLONE_VM | CLONE_VFORK), so it allocates nothing, takes no lock, touches no C library
// state beyond errno, never returns, and leaves by exec or _exit only.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstddef>

namespace paddock {

struct ChildMove {
  int ours;
  int parked;  // filled by the child: a copy above every target number
  int childs;
};

struct ChildLimit {
  int resource;
  rlimit value;
};

struct ChildTree {
  int tree;
  const char* name;
};

// SpawnStage of base/spawn.h.
struct ChildStage {
  int file_system;
  const char* place;
  const ChildTree* trees;
  std::size_t tree_count;
  unsigned id;
};

struct ChildStep {
  pid_t parent = 0;
  int program = -1;
  const char* program_path = nullptr;
  const char* const* argv = nullptr;
  const char* const* environment = nullptr;
  const char* working_directory = nullptr;  // null: unchanged
  ChildMove* moves = nullptr;
  std::size_t move_count = 0;
  int highest_target = -1;
  const int* joins = nullptr;
  std::size_t join_count = 0;
  const ChildLimit* limits = nullptr;
  std::size_t limit_count = 0;
  bool own_session = false;
  bool dies_with_parent = false;
  bool own_keyring = false;
  bool no_groups = false;
  const ChildStage* stage = nullptr;
  // Written by the child in the shared memory when a step fails.
  const char* failed_step = nullptr;
  int failed_errno = 0;
};

// Ends the child with the step that failed and errno.
[[noreturn]] void fail(ChildStep& step, const char* what);

// What `stage` says (spawn_stage.cc).
void enter_stage(ChildStep& step);

// Entry point for clone(2); `step` is a ChildStep*. Returns only to _exit.
int run_child_step(void* step);

}  // namespace paddock
