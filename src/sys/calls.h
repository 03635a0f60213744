// The system calls that our libc-free programs use, one inline function each, named after the call.
// Each returns the kernel's value; negative is -errno. Structures are the kernel's own (uapi headers).
#pragma once

#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/openat2.h>
#include <linux/stat.h>

#include "sys/syscall.h"

namespace paddock::sys {

inline constexpr int at_fdcwd = -100;
inline constexpr int at_empty_path = 0x1000;
inline constexpr int signal_child = 17;
inline constexpr int signal_kill = 9;
inline constexpr int signal_continue = 18;

// struct statfs of 64-bit architectures (asm-generic/statfs.h); only `flags` is read here.
struct StatFs {
  long type, block_size, blocks, blocks_free, blocks_available, files, files_free;
  int id[2];
  long name_max, fragment, flags, spare[4];
};
inline constexpr long mount_read_only = 1;  // ST_RDONLY, statfs(2)

struct Iovec { void* base; unsigned long length; };
struct MessageHeader {  // struct user_msghdr, linux/socket.h
  void* name; int name_length; Iovec* parts; unsigned long part_count;
  void* control; unsigned long control_length; unsigned flags;
};
struct PollFd { int fd; short events; short revents; };
struct ResourceLimit { unsigned long soft; unsigned long hard; };
struct WindowSize { unsigned short rows, columns, x, y; };
// struct kernel_sigaction
struct SignalAction { void (*handler)(int); unsigned long flags; void (*restorer)(); unsigned long mask; };

inline Word read(int fd, void* to, unsigned long n) { return call(__NR_read, fd, to, n); }
inline Word write(int fd, const void* from, unsigned long n) { return call(__NR_write, fd, from, n); }
inline Word close(int fd) { return call(__NR_close, fd); }
inline Word close_range(unsigned first, unsigned last, unsigned flags) { return call(__NR_close_range, first, last, flags); }
inline Word open(const char* path, int flags) { return call(__NR_openat, at_fdcwd, path, flags, 0); }
inline Word openat2(int at, const char* path, const open_how& how) { return call(__NR_openat2, at, path, &how, sizeof how); }
inline Word statx(int at, const char* path, int flags, unsigned mask, struct statx& out) { return call(__NR_statx, at, path, flags, mask, &out); }
inline Word fstatfs(int fd, StatFs& out) { return call(__NR_fstatfs, fd, &out); }
inline Word getdents64(int fd, void* to, unsigned long n) { return call(__NR_getdents64, fd, to, n); }
inline Word chdir(const char* path) { return call(__NR_chdir, path); }
inline Word dup3(int from, int to, int flags) { return call(__NR_dup3, from, to, flags); }
inline Word fcntl(int fd, int what, long value) { return call(__NR_fcntl, fd, what, value); }
inline Word ioctl(int fd, unsigned long request, const void* argument) { return call(__NR_ioctl, fd, request, argument); }
inline Word pipe2(int ends[2], int flags) { return call(__NR_pipe2, ends, flags); }
inline Word mmap(void* at, unsigned long n, int protection, int flags, int fd, long offset) { return call(__NR_mmap, at, n, protection, flags, fd, offset); }
inline Word munmap(void* at, unsigned long n) { return call(__NR_munmap, at, n); }
inline Word execve(const char* path, char* const* argv, char* const* environment) { return call(__NR_execve, path, argv, environment); }
[[noreturn]] inline void exit_group(int code) { for (;;) call(__NR_exit_group, code); }
inline Word wait4(int pid, int* status, int options) { return call(__NR_wait4, pid, status, options, 0); }
inline Word kill(int pid, int signal) { return call(__NR_kill, pid, signal); }
inline Word getuid() { return call(__NR_getuid); }
inline Word getpid() { return call(__NR_getpid); }
inline Word setsid() { return call(__NR_setsid); }
inline Word setpgid(int pid, int group) { return call(__NR_setpgid, pid, group); }
inline Word prctl(int what, unsigned long a = 0, unsigned long b = 0, unsigned long c = 0, unsigned long d = 0) { return call(__NR_prctl, what, a, b, c, d); }
inline Word setrlimit(int resource, const ResourceLimit& value) { return call(__NR_prlimit64, 0, resource, &value, 0); }
inline Word getrlimit(int resource, ResourceLimit& value) { return call(__NR_prlimit64, 0, resource, 0, &value); }
inline Word capget(void* header, void* data) { return call(__NR_capget, header, data); }
inline Word seccomp(unsigned operation, unsigned flags, const void* argument) { return call(__NR_seccomp, operation, flags, argument); }
inline Word landlock_create_ruleset(const void* attributes, unsigned long size, unsigned flags) { return call(__NR_landlock_create_ruleset, attributes, size, flags); }
inline Word landlock_add_rule(int ruleset, int type, const void* attributes) { return call(__NR_landlock_add_rule, ruleset, type, attributes, 0); }
inline Word landlock_restrict_self(int ruleset) { return call(__NR_landlock_restrict_self, ruleset, 0); }
inline Word sendmsg(int fd, const MessageHeader& message, int flags) { return call(__NR_sendmsg, fd, &message, flags); }
inline Word recvmsg(int fd, MessageHeader& message, int flags) { return call(__NR_recvmsg, fd, &message, flags); }
inline Word poll(PollFd* fds, unsigned count) { return call(__NR_ppoll, fds, count, 0, 0, 0); }
inline Word signalfd(unsigned long mask, int flags) { return call(__NR_signalfd4, -1, &mask, sizeof mask, flags); }
inline Word sigprocmask(int how, unsigned long mask) { return call(__NR_rt_sigprocmask, how, &mask, 0, sizeof mask); }
inline Word sigaction(int signal, const SignalAction& action) { return call(__NR_rt_sigaction, signal, &action, 0, sizeof(unsigned long)); }

// fork(2): a copy of this process. 0 in the child.
inline Word fork() { return call(__NR_clone, signal_child, 0, 0, 0, 0); }

// clone(2) with CLONE_VM | CLONE_VFORK on a stack of its own: the child runs `step(argument)` in our
// memory while we wait; `step` never returns, it leaves by exec or exit. `stack_top` is 16-aligned.
Word vfork_on(void* stack_top, void (*step)(void*), void* argument);

}  // namespace paddock::sys
