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

}  // namespace

Result<ClonedProcess> clone_step(int (*step)(void*), void* argument, int namespaces) {
  // The child's, while we wait: a part of our own, which costs no mapping.
  constexpr std::size_t stack_bytes = 16 << 10;
  alignas(16) char stack[stack_bytes];
  int pidfd = -1;
  pid_t pid;
  {
    const SignalsBlocked blocked;
    // No SIGCHLD: where the caller's own parent left it ignored, the kernel would reap for us.
    pid = ::clone(step, stack + stack_bytes,
                  CLONE_VM | CLONE_VFORK | CLONE_PIDFD | namespaces, argument, &pidfd);
  }
  const int clone_errno = errno;
  if (pid < 0) return system_error("cannot start a process", clone_errno);
  return ClonedProcess{pid, Fd(pidfd)};
}

int reap(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, __WALL) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace paddock
