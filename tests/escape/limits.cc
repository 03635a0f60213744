// The limit on processes: how many can live at once, by fork, by threads, by way of nested
// namespaces, after trying to raise it.   processes=N
#include "attempt.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace attack {
namespace {

constexpr long tried_max = 600;

// Live children made until one is refused; all ended before it returns.
long live_children(long flags) {
  std::vector<pid_t> children;
  while (static_cast<long>(children.size()) < tried_max) {
    const long pid = ::syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
    if (pid < 0) break;
    if (pid == 0) {
      for (;;) ::pause();
    }
    children.push_back(static_cast<pid_t>(pid));
  }
  for (const pid_t child : children) ::kill(child, SIGKILL);
  for (const pid_t child : children) ::waitpid(child, nullptr, 0);
  return static_cast<long>(children.size());
}

Outcome judged(long made, long limit) {
  const std::string detail = std::to_string(made) + " made";
  return made < limit ? Outcome{End::held, detail} : escaped(detail + " with a limit of " + std::to_string(limit));
}

}  // namespace

void limits(const Options& options) {
  const long limit = options.number("processes", 64);
  attempt("processes/fork", [&] { return judged(live_children(0), limit); });
  attempt("processes/after-raising", [&] {
    const rlimit none{RLIM_INFINITY, RLIM_INFINITY}, more{static_cast<rlim_t>(limit) * 4, static_cast<rlim_t>(limit) * 4};
    if (::setrlimit(RLIMIT_NPROC, &none) == 0 || ::setrlimit(RLIMIT_NPROC, &more) == 0) return escaped("raised");
    return judged(live_children(0), limit);
  });
  attempt_nested("processes/nested", [&] {
    const rlimit more{static_cast<rlim_t>(limit) * 4, static_cast<rlim_t>(limit) * 4};
    if (::setrlimit(RLIMIT_NPROC, &more) == 0) return escaped("raised");
    return judged(live_children(0), limit);
  });
  attempt("processes/each-in-its-own-namespace", [&] { return judged(live_children(CLONE_NEWUSER), limit); });
  attempt("processes/still-usable", [&] {
    const long made = live_children(0);
    return escaped_if(made < 2, "only " + std::to_string(made));
  });
}

}  // namespace attack
