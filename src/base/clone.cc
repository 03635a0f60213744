#include "base/clone.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

#include <cerrno>

namespace paddock {
namespace {

// Blocks every signal here while the child shares our memory, so that no handler of ours runs in it.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

// The process, or -errno.
pid_t clone_here(int (*step)(void*), void* argument, int flags, int* pidfd) {
  // The child's, while we wait: a part of our own, which costs no mapping.
  constexpr std::size_t stack_bytes = 16 << 10;
  alignas(16) char stack[stack_bytes];
  const SignalsBlocked blocked;
  // No SIGCHLD: where the caller's own parent left it ignored, the kernel would reap for us.
  const pid_t pid = ::clone(step, stack + stack_bytes, CLONE_VM | CLONE_VFORK | flags, argument, pidfd);
  return pid < 0 ? -errno : pid;
}

}  // namespace

Result<ClonedProcess> clone_step(int (*step)(void*), void* argument, int namespaces) {
  int pidfd = -1;
  const pid_t pid = clone_here(step, argument, CLONE_PIDFD | namespaces, &pidfd);
  if (pid < 0) return system_error("cannot start a process", -pid);
  return ClonedProcess{pid, Fd(pidfd)};
}

pid_t clone_trial(int (*step)(void*), void* argument, int namespaces) { return clone_here(step, argument, namespaces, nullptr); }

int reap(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, __WALL) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace paddock
