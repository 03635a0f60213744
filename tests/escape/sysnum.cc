// Every system call number on three architectures (every `step=N`th where that has a cost), and the
// arguments by which a filter can be missed.
#include "attempt.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <algorithm>
#include <iterator>

namespace attack {
namespace {

constexpr int numbers = 1024;
constexpr long highest_known = 469;
constexpr long x32_bit = 0x40000000;

struct Answer {
  int signal = 0;   // it died of this
  long result = 0;  // or the call gave this
};

// In a child: what a call with only -1 as arguments gives.
template <typename Call>
Answer ask(Call call) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {SIGABRT, 0};
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::alarm(2);
    const long result = call();
    [[maybe_unused]] const ssize_t written = ::write(ends[1], &result, sizeof result);
    ::_exit(0);
  }
  ::close(ends[1]);
  Answer answer;
  const bool answered = ::read(ends[0], &answer.result, sizeof answer.result) == sizeof answer.result;
  ::close(ends[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (!answered) answer.signal = WIFSIGNALED(status) ? WTERMSIG(status) : SIGABRT;
  return answer;
}

#if defined(__x86_64__)
long raw(long number) {
  long result;
  register long r10 __asm__("r10") = -1;
  register long r8 __asm__("r8") = -1;
  register long r9 __asm__("r9") = -1;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(-1L), "S"(-1L), "d"(-1L), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  return result;
}

long raw_32(long number) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(-1), "c"(-1), "d"(-1), "S"(-1), "D"(-1) : "r8", "r9", "r10", "r11", "memory");
  return result;
}
#else
long raw(long number) {
  const long result = ::syscall(static_cast<int>(number), -1, -1, -1, -1, -1, -1);
  return result == -1 ? -errno : result;
}
#endif

// These end or block the child by themselves, or flush every disk.
bool is_untried(long number) {
  constexpr long untried[] = {SYS_exit, SYS_exit_group, SYS_pause, SYS_rt_sigreturn, SYS_rt_sigsuspend, SYS_sync, SYS_vhangup, SYS_fork, SYS_vfork};
  return std::find(std::begin(untried), std::end(untried), number) != std::end(untried);
}

// Refused whatever their arguments: the errno of the filter.
constexpr struct { const char* name; long number; int error; } refused_calls[] = {
    {"keyctl", SYS_keyctl, EPERM}, {"add_key", SYS_add_key, EPERM}, {"request_key", SYS_request_key, EPERM},
    {"bpf", SYS_bpf, EPERM}, {"userfaultfd", SYS_userfaultfd, EPERM}, {"perf_event_open", SYS_perf_event_open, EPERM},
    {"io_uring_setup", SYS_io_uring_setup, ENOSYS}, {"io_uring_enter", SYS_io_uring_enter, ENOSYS}, {"io_uring_register", SYS_io_uring_register, ENOSYS},
    {"open_by_handle_at", SYS_open_by_handle_at, EPERM}, {"pidfd_getfd", SYS_pidfd_getfd, EPERM},
    {"kexec_load", SYS_kexec_load, EPERM}, {"kexec_file_load", SYS_kexec_file_load, EPERM},
    {"init_module", SYS_init_module, EPERM}, {"finit_module", SYS_finit_module, EPERM}, {"delete_module", SYS_delete_module, EPERM},
    {"clock_settime", SYS_clock_settime, EPERM}, {"clock_adjtime", SYS_clock_adjtime, EPERM}, {"settimeofday", SYS_settimeofday, EPERM}, {"adjtimex", SYS_adjtimex, EPERM},
    {"swapon", SYS_swapon, EPERM}, {"swapoff", SYS_swapoff, EPERM}, {"reboot", SYS_reboot, EPERM}, {"acct", SYS_acct, EPERM},
    {"quotactl", SYS_quotactl, EPERM}, {"syslog", SYS_syslog, EPERM}, {"fanotify_init", SYS_fanotify_init, EPERM},
    {"setns", SYS_setns, EPERM}, {"mount", SYS_mount, EPERM}, {"umount2", SYS_umount2, EPERM}, {"pivot_root", SYS_pivot_root, EPERM},
    {"open_tree", SYS_open_tree, EPERM}, {"move_mount", SYS_move_mount, EPERM}, {"fsopen", SYS_fsopen, EPERM}, {"fsconfig", SYS_fsconfig, EPERM},
    {"fsmount", SYS_fsmount, EPERM}, {"fspick", SYS_fspick, EPERM}, {"mount_setattr", 442, EPERM}, {"open_tree_attr", 467, EPERM},
    {"clone3", SYS_clone3, ENOSYS}, {"openat2", SYS_openat2, ENOSYS}, {"sethostname", SYS_sethostname, EPERM}, {"setdomainname", SYS_setdomainname, EPERM},
#if defined(__x86_64__)
    {"iopl", SYS_iopl, EPERM}, {"ioperm", SYS_ioperm, EPERM}, {"modify_ldt", SYS_modify_ldt, ENOSYS},
#endif
};

void attack_known() {
  for (const auto& call : refused_calls) {
    attempt(std::string("refused/") + call.name, [&] {
      const long result = raw(call.number);
      if (result != -call.error) return escaped("gave " + std::to_string(result));
      return held();
    });
  }
}

void attack_unknown(long step) {
  attempt("native/above-the-highest", [] {
    std::string wrong;
    for (long number = highest_known + 1; number < numbers; ++number) {
      if (raw(number) != -ENOSYS) wrong += std::to_string(number) + " ";
    }
    return escaped_if(!wrong.empty(), wrong);
  });
  attempt("native/negative", [] {
    std::string wrong;
    for (const long number : {-1l, -2l, -1000l, 0x7fffffffl, 0x80000000l}) {
      const Answer answer = ask([&] { return raw(number); });
      if (answer.signal == SIGSYS || (answer.signal == 0 && answer.result == -ENOSYS)) continue;
      wrong += std::to_string(number) + " ";
    }
    return escaped_if(!wrong.empty(), wrong);
  });
  // None of them may end in privilege: what is left must come back to its caller.
  attempt("native/every-number", [step] {
    std::string odd;
    for (long number = 0; number <= highest_known; number += step) {
      if (is_untried(number)) continue;
      const Answer answer = ask([&] { return raw(number); });
      if (answer.signal == SIGSYS) odd += std::to_string(number) + " ";
    }
    return escaped_if(!odd.empty(), "native calls killed instead of refused: " + odd);
  });
}

#if defined(__x86_64__)
void attack_foreign(long step) {
  const auto all_killed = [step](auto call) {
    return [call, step] {
      std::string passed;
      int count = 0;
      for (long number = 0; number < numbers; number += step) {
        const Answer answer = ask([&] { return call(number); });
        if (answer.signal == SIGSEGV && number == 0) return skipped("this kernel has no 32-bit calls");
        if (answer.signal == SIGSYS) continue;
        if (++count <= 8) passed += std::to_string(number) + " ";
      }
      return escaped_if(count != 0, std::to_string(count) + " numbers passed: " + passed);
    };
  };
  attempt("i386/every-number", all_killed([](long number) { return raw_32(number); }));
  attempt("x32/every-number", all_killed([](long number) { return raw(number | x32_bit); }));
}
#endif

int pair_master() { return ::open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC); }

// The kernel takes the low 32 bits of an ioctl's request.
void attack_ioctls() {
  constexpr struct { const char* name; unsigned long request; } requests[] = {
      {"TIOCSTI", 0x5412}, {"TIOCLINUX", 0x541c}, {"TIOCSETD", 0x5423}, {"TIOCCONS", 0x541d}};
  for (const auto& request : requests) {
    for (const int high : {-1, 32, 40, 63}) {
      const unsigned long whole = high < 0 ? request.request : request.request | 1ul << high;
      attempt(std::string("ioctl/") + request.name + (high < 0 ? "" : "+bit" + std::to_string(high)), [&] {
        const int master = pair_master();
        char byte = 'x';
        const long result = ::syscall(SYS_ioctl, master, whole, &byte);
        if (result == 0) return escaped("accepted");
        return escaped_if(errno != EPERM, "passed the filter: " + errno_name());
      });
    }
  }
  attempt("ioctl/btrfs-snapshot", [] {
    const int root = ::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char buffer[4096] = {};
    for (const unsigned long request : {0x50009401ul, 0x50009417ul, 0x5000940ful, 0x940100000000ul | 0x50009401ul}) {
      if (::syscall(SYS_ioctl, root, request, buffer) == 0 || errno != ENOTTY) return escaped("passed: " + errno_name());
    }
    return held();
  });
}

void attack_sockets() {
  for (int family = 0; family < 64; ++family) {
    if (family == AF_UNIX || family == AF_INET || family == AF_INET6 || family == AF_NETLINK) continue;
    attempt("family/" + std::to_string(family), [&] {
      for (const int type : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET}) {
        if (::socket(family, type, 0) >= 0) return escaped("made");
        if (errno != EAFNOSUPPORT && errno != EPROTONOSUPPORT) return escaped("reached the kernel: " + errno_name());
      }
      return held();
    });
  }
  for (int protocol = 1; protocol < 24; ++protocol) {
    attempt("netlink/" + std::to_string(protocol), [&] { return escaped_if(::socket(AF_NETLINK, SOCK_RAW, protocol) >= 0, "made"); });
  }
  attempt("inet/raw", [] { return escaped_if(::socket(AF_INET, SOCK_RAW, 255) >= 0, "made"); });
  attempt("inet/high-family-bits", [] { return escaped_if(::syscall(SYS_socket, 40ul | 1ul << 32, SOCK_STREAM, 0) >= 0 || errno == ENODEV, "vsock"); });
}

void attack_namespaces(bool browser) {
  constexpr struct { const char* name; unsigned long flag; bool browsers; } kinds[] = {
      {"mount", CLONE_NEWNS, false}, {"cgroup", CLONE_NEWCGROUP, false}, {"uts", CLONE_NEWUTS, false}, {"ipc", CLONE_NEWIPC, false},
      {"time", 0x80, false}, {"user", CLONE_NEWUSER, true}, {"pid", CLONE_NEWPID, true}, {"net", CLONE_NEWNET, true}};
  for (const auto& kind : kinds) {
    if (kind.browsers && browser) continue;
    for (const unsigned long high : {0ul, 1ul << 32}) {
      const std::string suffix = std::string(kind.name) + (high != 0 ? "+high" : "");
      attempt("unshare/" + suffix, [&] { return escaped_if(::syscall(SYS_unshare, kind.flag | high) == 0, "made"); });
      attempt("unshare-in-user/" + suffix, [&] { return escaped_if(::syscall(SYS_unshare, CLONE_NEWUSER | kind.flag | high) == 0, "made"); });
      if (kind.flag == 0x80) continue;  // the exit signal's bits in clone
      attempt("clone/" + suffix, [&] {
        const long pid = ::syscall(SYS_clone, CLONE_NEWUSER | kind.flag | high | SIGCHLD, 0, 0, 0, 0);
        if (pid == 0) ::_exit(0);
        return escaped_if(pid > 0, "made");
      });
    }
  }
}

void attack_arguments() {
  attempt("prlimit/child", [] {
    const pid_t child = ::fork();
    if (child == 0) {
      ::pause();
      ::_exit(0);
    }
    rlimit value{};
    const bool passed = ::prlimit(child, RLIMIT_NOFILE, nullptr, &value) == 0;
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    return escaped_if(passed, "limits of another process");
  });
  attempt("prlimit/own", [] {
    rlimit value{};
    return escaped_if(::prlimit(0, RLIMIT_NOFILE, nullptr, &value) != 0, "its own limits cannot be read");
  });
  attempt("personality/read-implies-exec", [] { return escaped_if(::personality(READ_IMPLIES_EXEC) != -1, "set"); });
  attempt("privileges/no-new", [] { return escaped_if(::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1, "not set"); });
  attempt("filter/is-there", [] { return escaped_if(::prctl(PR_GET_SECCOMP) != 2, "no filter"); });
  attempt("works/clone-and-threads", [] {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    return escaped_if(child < 0, "cannot fork");
  });
}

}  // namespace

void sysnum(const Options& options) {
  attack_known();
  const long step = options.number("step", 1);
  attack_unknown(step);
#if defined(__x86_64__)
  attack_foreign(step);
#endif
  attack_ioctls();
  attack_sockets();
  attack_namespaces(options.number("browser", 0) != 0);
  attack_arguments();
}

}  // namespace attack
