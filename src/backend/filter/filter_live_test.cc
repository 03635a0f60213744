// The filters in the kernel: each test forks, installs one and makes real calls. Needs no privilege.
#include "backend/filter/filter_test_support.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

namespace paddock {
namespace {

constexpr int could_not_install = 99;
constexpr long request_with_high_bit = TIOCSTI | (1L << 32U);

bool install(const TestedVariant& variant) {
  const std::span<const sock_filter> program = variant.program();
  // The kernel takes the program through a pointer to non-const and only reads it.
  const sock_fprog fprog{static_cast<unsigned short>(program.size()), const_cast<sock_filter*>(program.data())};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &fprog) == 0;
}

// The wait status of a child that runs `body` under the filter and exits with its result.
int run_filtered(const TestedVariant& variant, int (*body)()) {
  const pid_t child = fork();
  if (child == 0) _exit(install(variant) ? body() : could_not_install);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

// `body` gives 0, or the number of its first step that failed.
void expect_steps(const TestedVariant& variant, int (*body)()) {
  const int status = run_filtered(variant, body);
  ASSERT_TRUE(WIFEXITED(status)) << variant.name << ": killed by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0) << variant.name << ": the step that failed";
}

bool fails(long result, int error) { return result == -1 && errno == error; }

int terminal_injection() {
  char typed = 'x';
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) return 1;
  if (!fails(syscall(SYS_ioctl, terminal, TIOCSTI, &typed), EPERM)) return 2;
  if (!fails(syscall(SYS_ioctl, terminal, request_with_high_bit, &typed), EPERM)) return 3;
  // Without the filter a pipe would answer ENOTTY.
  int ends[2];
  if (pipe(ends) != 0) return 4;
  if (!fails(syscall(SYS_ioctl, ends[0], request_with_high_bit, &typed), EPERM)) return 5;
  int waiting = 0;
  return ioctl(ends[0], FIONREAD, &waiting) == 0 ? 0 : 6;
}

int refused_calls() {
  if (!fails(syscall(SYS_keyctl, 0, 0, 0, 0, 0), EPERM)) return 1;
  if (!fails(syscall(SYS_clone3, nullptr, 0), ENOSYS)) return 2;
  if (!fails(syscall(SYS_io_uring_setup, 1, nullptr), ENOSYS)) return 3;
  if (!fails(syscall(SYS_openat2, -1, nullptr, nullptr, 0), ENOSYS)) return 4;
  if (!fails(socket(AF_VSOCK, SOCK_STREAM, 0), EAFNOSUPPORT)) return 5;
  if (!fails(socket(AF_PACKET, SOCK_RAW, 0), EAFNOSUPPORT)) return 6;
  if (!fails(syscall(SYS_bpf, 0, nullptr, 0), EPERM)) return 7;
  if (!fails(syscall(highest_known_number + 1, 0), ENOSYS)) return 8;
  if (!fails(syscall(-1L), ENOSYS)) return 9;
  if (!fails(syscall(SYS_prlimit64, getppid(), 0, nullptr, nullptr), EPERM)) return 10;
  return 0;
}

int planted_privilege() {
  std::string name = testing::TempDir() + "filter_test_XXXXXX";
  char* path = name.data();
  const int file = mkstemp(path);
  if (file < 0) return 1;
  const bool refused = fails(chmod(path, 04755), EPERM) && fails(fchmod(file, 02755), EPERM);
  const bool allowed = chmod(path, 0755) == 0;
  struct stat found {};
  const bool plain = fstat(file, &found) == 0 && (found.st_mode & 07777U) == 0755U;
  unlink(path);
  if (!refused) return 2;
  if (!allowed || !plain) return 3;
  if (!fails(open(path, O_CREAT | O_RDWR, 04755), EPERM)) return 4;
  return fails(access(path, F_OK), ENOENT) ? 0 : 5;
}

int threads_and_children() {
  int made = 0;
  std::thread([&] { made = 1; }).join();
  if (made != 1) return 1;
  const pid_t child = fork();
  if (child < 0) return 2;
  if (child == 0) {
    const bool traced = ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0;
    if (traced) raise(SIGSTOP);
    _exit(traced ? 7 : 8);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return 3;
  if (ptrace(PTRACE_CONT, child, nullptr, nullptr) != 0) return 4;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 5;
  return WEXITSTATUS(status) == 7 ? 0 : 6;
}

int ordinary_sockets() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return 1;
  if (socket(AF_INET, SOCK_STREAM, 0) < 0) return 2;
  return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0) < 0 ? 3 : 0;
}

TEST(FilterLive, StepsHoldUnderEveryVariant) {
  for (const TestedVariant& variant : tested_variants) {
    expect_steps(variant, terminal_injection);
    expect_steps(variant, refused_calls);
    expect_steps(variant, planted_privilege);
    expect_steps(variant, threads_and_children);
    expect_steps(variant, ordinary_sockets);
  }
}

TEST(FilterLive, NamespacesAreRefusedInOff) {
  expect_steps(off, [] { return fails(unshare(CLONE_NEWUSER), EPERM) && fails(unshare(CLONE_NEWNS), EPERM) ? 0 : 1; });
}

#if defined(__x86_64__)
TEST(FilterLive, A32BitCallKills) {
  const int status = run_filtered(off, [] {
    signal(SIGSEGV, SIG_DFL);  // a sanitizer's handler would turn the signal into an exit
    long result = 20;          // getpid of i386
    asm volatile("int $0x80" : "+a"(result) : : "memory");
    return 0;
  });
  ASSERT_TRUE(WIFSIGNALED(status)) << "the call came back";
  if (WTERMSIG(status) == SIGSEGV) GTEST_SKIP() << "the kernel has no IA-32 emulation";
  EXPECT_EQ(WTERMSIG(status), SIGSYS);
}

TEST(FilterLive, AnX32CallKills) {
  const int status = run_filtered(off, [] { return syscall(static_cast<long>(x32_bit) | SYS_getpid) < 0 ? 1 : 0; });
  ASSERT_TRUE(WIFSIGNALED(status)) << "the call came back";
  EXPECT_EQ(WTERMSIG(status), SIGSYS);
}
#endif

}  // namespace
}  // namespace paddock
