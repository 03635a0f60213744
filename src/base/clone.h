// The one place of the program that makes a process. What is run in it is base/spawn.h's business.
#pragma once

#include <sys/types.h>

#include "base/fd.h"
#include "base/result.h"

namespace paddock {

struct ClonedProcess {
  pid_t pid = -1;  // the caller's to reap
  Fd pidfd;
};

// Runs `step(argument)` in a new process, in our memory (CLONE_VM) on a part of our stack, with every signal
// blocked here and there; returns when that has executed a program or ended (CLONE_VFORK). The rules for
// the step stand in base/spawn_child.h; returning from it ends the process with that status.
// `namespaces`: CLONE_NEW* of clone(2), or 0.
Result<ClonedProcess> clone_step(int (*step)(void*), void* argument, int namespaces);

// The same without a pidfd: the process, or -errno of clone(2). For trials of what the kernel allows.
pid_t clone_trial(int (*step)(void*), void* argument, int namespaces);

// The wait(2) status, once it has ended.
int reap(pid_t pid);

}  // namespace paddock
