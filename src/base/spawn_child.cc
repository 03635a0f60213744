#include "base/spawn_child.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <linux/keyctl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace paddock {
namespace {

void die_with_parent(ChildStep& step) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) fail(step, "ask for the parent's death signal");
  // The parent may have died before we asked.
  if (getppid() != step.parent) _exit(127);
}

void default_signals() {
  // Only ignored signals survive exec; handlers are reset by it (execve(2)).
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  for (int signal = 1; signal < 65; ++signal) {
    syscall(SYS_rt_sigaction, signal, &usual, nullptr, 8);
  }
}

void unblock_signals() {
  const unsigned long none = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, 8);
}

void place_descriptors(ChildStep& step) {
  for (std::size_t i = 0; i < step.move_count; ++i) {
    ChildMove& move = step.moves[i];
    move.parked = fcntl(move.ours, F_DUPFD_CLOEXEC, step.highest_target + 1);
    if (move.parked < 0) fail(step, "copy a descriptor");
  }
  if (step.highest_target >= 0 && syscall(SYS_close_range, 0u, static_cast<unsigned>(step.highest_target), 0u) != 0) {
    fail(step, "close descriptors");
  }
  for (std::size_t i = 0; i < step.move_count; ++i) {
    if (dup2(step.moves[i].parked, step.moves[i].childs) < 0) fail(step, "place a descriptor");
  }
  // Everything above stays open until exec (the program may be among it) and not a moment longer.
  if (syscall(SYS_close_range, static_cast<unsigned>(step.highest_target + 1), ~0u, CLOSE_RANGE_CLOEXEC) != 0) {
    fail(step, "mark descriptors");
  }
}

}  // namespace

void fail(ChildStep& step, const char* what) {
  step.failed_errno = errno;
  step.failed_step = what;
  _exit(127);
}

int run_child_step(void* argument) {
  ChildStep& step = *static_cast<ChildStep*>(argument);
  default_signals();
  // "0" stands for whoever writes it (cgroups(7)).
  for (std::size_t i = 0; i < step.join_count; ++i) {
    if (write(step.joins[i], "0", 1) != 1) fail(step, "enter a control group");
  }
  if (step.own_session && setsid() < 0) fail(step, "start a session");
  if (step.no_groups && syscall(SYS_setgroups, 0, nullptr) != 0 && errno != EPERM) {
    fail(step, "give up supplementary groups");
  }
  for (std::size_t i = 0; i < step.limit_count; ++i) {
    if (setrlimit(static_cast<__rlimit_resource_t>(step.limits[i].resource), &step.limits[i].value) != 0) fail(step, "set a limit");
  }
  // After the limits, which only root may raise; before the keyring, which is then of the new id.
  if (step.stage != nullptr) enter_stage(step);
  // A change of ids would take the signal back (prctl(2)).
  if (step.dies_with_parent) die_with_parent(step);
  // A kernel without keyrings has none to leave behind.
  if (step.own_keyring && syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr, 0, 0, 0) < 0 && errno != ENOSYS) {
    fail(step, "take a keyring of its own");
  }
  if (step.working_directory != nullptr && chdir(step.working_directory) != 0) {
    fail(step, "enter the working directory");
  }
  // The program's descriptor must survive the placing: it is parked above the targets too.
  int program = step.program;
  if (program >= 0) {
    program = fcntl(program, F_DUPFD_CLOEXEC, step.highest_target + 1);
    if (program < 0) fail(step, "copy the program's descriptor");
  }
  place_descriptors(step);
  unblock_signals();
  char* const* argv = const_cast<char* const*>(step.argv);
  char* const* environment = const_cast<char* const*>(step.environment);
  if (program >= 0) {
    syscall(SYS_execveat, program, "", argv, environment, AT_EMPTY_PATH);
  } else {
    execve(step.program_path, argv, environment);
  }
  fail(step, "execute");
}

}  // namespace paddock
