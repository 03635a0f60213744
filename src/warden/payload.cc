#include "warden/payload.h"

#include <linux/prctl.h>
#include <linux/resource.h>
#include <linux/seccomp.h>

#include "sys/calls.h"
#include "protocol/descriptors.h"

namespace paddock::warden {
namespace {

using protocol::Step;
using descriptor::payload_first;

constexpr int error_absent = 2, error_access = 13, error_not_directory = 20, error_format = 8, error_long = 36;
constexpr unsigned long set_foreground_group = 0x5410;  // TIOCSPGRP
constexpr int block = 0, set_mask = 2;                  // SIG_BLOCK, SIG_SETMASK
constexpr unsigned long stack_bytes = 16 << 10;

struct Failure {
  int number = 0;
  Step step = Step::execute;
};

// Shared with a child that runs in our memory (vfork_on).
struct ChildStep {
  const Payload* payload;
  Failure failure;
};

[[noreturn]] void fail(ChildStep& step, Step at, sys::Word result) {
  step.failure = {static_cast<int>(-result), at};
  sys::exit_group(127);
}

sys::Word limit(int resource, unsigned long soft, unsigned long hard) {
  const sys::ResourceLimit value{soft, hard};
  return sys::setrlimit(resource, value);
}

// No core files: RLIMIT_CORE of 1 also keeps a piped core_pattern from starting (coredump.c, "limit == 1").
sys::Word set_limits(const protocol::Brief& brief) {
  sys::Word failed = limit(RLIMIT_CORE, 1, 1);
  if (failed != 0) failed = limit(RLIMIT_CORE, 0, 0);  // a hard limit of 0 was there before us
  if (failed == 0) failed = limit(RLIMIT_NOFILE, brief.open_files_soft, brief.open_files_hard);
  if (failed == 0 && brief.processes_max != protocol::unlimited) {
    failed = limit(RLIMIT_NPROC, brief.processes_max, brief.processes_max);
  }
  return failed;
}

void reset_signals() {
  const sys::SignalAction usual{nullptr, 0, nullptr, 0};
  for (int signal = 1; signal < 65; ++signal) sys::sigaction(signal, usual);
  sys::sigprocmask(set_mask, 0);
}

// Those that are terminals outside become the pty, the others are what came from outside.
sys::Word place_descriptors(const Payload& payload) {
  for (int target = 0; target < 3; ++target) {
    const bool to_terminal = (payload.command->flags & (1u << target)) != 0;
    const sys::Word placed = sys::dup3(to_terminal ? payload.terminal : payload_first + target, target, 0);
    // A descriptor that was closed outside stays closed.
    if (placed == -9) sys::close(target);  // EBADF
    else if (placed < 0) return placed;
  }
  return sys::close_range(3, ~0u, 0);
}

// execvp(3): each directory of the search path in turn; a script without "#!" goes to /bin/sh.
sys::Word execute_at(const char* path, const Payload& payload) {
  char* const* environment = const_cast<char* const*>(payload.environment);
  const sys::Word result = sys::execve(path, const_cast<char* const*>(payload.argv), environment);
  if (result != -error_format) return result;
  unsigned long count = 0;
  while (payload.argv[count] != nullptr) ++count;
  constexpr unsigned long arguments_max = 8192;
  if (count + 2 > arguments_max) return result;
  const char* words[arguments_max];
  words[0] = "/bin/sh";
  words[1] = path;
  for (unsigned long i = 1; i <= count; ++i) words[i + 1] = payload.argv[i];
  return sys::execve("/bin/sh", const_cast<char* const*>(words), environment);
}

sys::Word execute(const Payload& payload) {
  const char* name = payload.argv[0];
  unsigned long name_bytes = 0;
  bool has_slash = false;
  for (; name[name_bytes] != '\0'; ++name_bytes) has_slash |= name[name_bytes] == '/';
  if (has_slash) return execute_at(name, payload);
  sys::Word answer = -error_absent;
  for (const char* at = payload.search_path; *at != '\0';) {
    char path[4096];
    unsigned long n = 0;
    for (; *at != '\0' && *at != ':'; ++at) {
      if (n < sizeof path - 1) path[n++] = *at;
    }
    if (*at == ':') ++at;
    if (n == 0 || n + name_bytes + 2 > sizeof path) continue;
    path[n++] = '/';
    for (unsigned long i = 0; i <= name_bytes; ++i) path[n++] = name[i];
    const sys::Word result = execute_at(path, payload);
    if (result == -error_access) answer = result;
    else if (result != -error_absent && result != -error_not_directory && result != -error_long) return result;
  }
  return answer;
}

void take_foreground(const Payload& payload) {
  const int group = static_cast<int>(sys::getpid());
  sys::setpgid(0, 0);
  // Blocked: a background process that sets the foreground group is stopped otherwise.
  sys::sigprocmask(block, 1ul << (22 - 1));  // SIGTTOU
  sys::ioctl(payload.terminal, set_foreground_group, &group);
}

// In a child that shares our memory and has already left the control socket behind.
[[noreturn]] void become_payload(ChildStep& step) {
  const Payload& payload = *step.payload;
  if (payload.terminal >= 0) take_foreground(payload);
  else if (const sys::Word failed = sys::setsid(); failed < 0) fail(step, Step::session, failed);
  if (const sys::Word failed = sys::chdir(payload.directory); failed != 0) fail(step, Step::directory, failed);
  if (payload.ruleset >= 0) {
    if (const sys::Word failed = sys::landlock_restrict_self(payload.ruleset); failed != 0) fail(step, Step::landlock, failed);
  }
  if (const sys::Word failed = place_descriptors(payload); failed != 0) fail(step, Step::descriptors, failed);
  if (const sys::Word failed = set_limits(*payload.brief); failed != 0) fail(step, Step::limits, failed);
  reset_signals();
  if (payload.terminal < 0) {
    if (const sys::Word failed = install_filter(payload.brief_file, *payload.brief); failed != 0) fail(step, Step::filter, failed);
  }
  fail(step, Step::execute, execute(payload));
}

void payload_step(void* argument) {
  sys::close(descriptor::control);
  become_payload(*static_cast<ChildStep*>(argument));
}

// Runs the step in our memory until it executes; its failure, or none.
int start_step(const Payload& payload, Failure& failure) {
  alignas(16) static char stack[stack_bytes + (72 << 10)];
  ChildStep step{&payload, {}};
  const sys::Word pid = sys::vfork_on(stack + sizeof stack, payload_step, &step);
  if (pid < 0) {
    failure = {static_cast<int>(-pid), Step::session};
    return -1;
  }
  failure = step.failure;
  if (failure.number == 0) return static_cast<int>(pid);
  int status;
  sys::wait4(static_cast<int>(pid), &status, 0);
  return -1;
}

void report(int pipe, LeaderReport::What what, int a, int b = 0) {
  const LeaderReport whole{what, a, b};
  sys::write(pipe, &whole, sizeof whole);
}

// The session leader. It carries the filter like everything else inside, and is not dumpable.
[[noreturn]] void lead(const Payload& payload, int pipe) {
  sys::close(descriptor::control);
  sys::Word failed = sys::setsid();
  constexpr unsigned long set_controlling_terminal = 0x540E;  // TIOCSCTTY
  if (failed >= 0) failed = sys::ioctl(payload.terminal, set_controlling_terminal, nullptr);
  Failure failure{static_cast<int>(-failed), Step::session};
  if (failed >= 0) {
    failed = install_filter(payload.brief_file, *payload.brief);
    failure = {static_cast<int>(-failed), Step::filter};
  }
  const int pid = failed >= 0 ? start_step(payload, failure) : -1;
  if (pid < 0) {
    report(pipe, LeaderReport::What::failed, failure.number, static_cast<int>(failure.step));
    sys::exit_group(127);
  }
  report(pipe, LeaderReport::What::started, pid);
  sys::sigprocmask(set_mask, ~0ul);
  for (;;) {
    int status = 0;
    constexpr int also_stopped = 2;  // WUNTRACED
    const sys::Word who = sys::wait4(pid, &status, also_stopped);
    if (who == -4) continue;  // EINTR
    report(pipe, LeaderReport::What::status, status);
    if (who < 0 || (status & 0xff) != 0x7f) sys::exit_group(0);
  }
}

}  // namespace

sys::Word install_filter(const void* brief_file, const protocol::Brief& brief) {
  if (brief.filter.count == 0) return 0;
  struct Program { unsigned short length; const sock_filter* words; };
  const Program program{static_cast<unsigned short>(brief.filter.count), protocol::table<sock_filter>(brief_file, brief.filter)};
  return sys::seccomp(SECCOMP_SET_MODE_FILTER, 0, &program);
}

Started start_plain(const Payload& payload) {
  Started started;
  Failure failure;
  started.pid = start_step(payload, failure);
  started.group = started.pid;
  started.number = failure.number;
  started.step = failure.step;
  return started;
}

Started start_with_terminal(const Payload& payload) {
  Started started;
  int ends[2];
  constexpr int close_on_exec = 02000000;
  if (const sys::Word failed = sys::pipe2(ends, close_on_exec); failed != 0) {
    started.number = static_cast<int>(-failed);
    started.step = Step::descriptors;
    return started;
  }
  const sys::Word pid = sys::fork();
  if (pid == 0) lead(payload, ends[1]);
  sys::close(ends[1]);
  started.pid = static_cast<int>(pid);
  started.report = ends[0];
  if (pid < 0) {
    started.number = static_cast<int>(-pid);
    started.step = Step::session;
  }
  return started;
}

}  // namespace paddock::warden
