#include "base/namespace_trial.h"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace paddock {
namespace {

struct Trial {
  bool sets_name = false;
  int refusal = 0;
};

// In the parent's memory while the parent waits: the rules of spawn_child.h hold.
int act(void* argument) {
  Trial& trial = *static_cast<Trial*>(argument);
  if (trial.sets_name && syscall(SYS_sethostname, "x", 1ul) != 0) trial.refusal = errno;
  _exit(0);
}

}  // namespace

int try_namespaces(int kinds) {
  constexpr std::size_t stack_bytes = 64 << 10;
  void* stack = ::mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return errno;
  Trial trial;
  trial.sets_name = (kinds & CLONE_NEWUTS) != 0;
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::clone(act, static_cast<char*>(stack) + stack_bytes, CLONE_VM | CLONE_VFORK | SIGCHLD | kinds, &trial);
  const int refusal = pid < 0 ? errno : 0;
  sigprocmask(SIG_SETMASK, &before, nullptr);
  ::munmap(stack, stack_bytes);
  if (pid < 0) return refusal;
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return trial.refusal;
}

}  // namespace paddock
