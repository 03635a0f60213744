// The seccomp programs that payloads run under: constant data, made at build time from the table in
// syscall_table.cc. Nothing here allocates, makes a system call or needs libseccomp.
#pragma once

#include <linux/filter.h>

#include <span>

namespace paddock {

// Which namespaces the payload may make for itself.
//   off:     none.
//   browser: user, pid and network namespaces, what a browser's own sandbox needs; no mounts, no setns.
//   full:    all of them, with mounts and setns, so that a container engine runs. A relaxation.
enum class FilterNesting { off, browser, full };

// real_root: the payload's kernel uid is 0 outside the sandbox too, so that extended attributes it
// writes, file capabilities among them, would count on the host.
enum class FilterPrivilege { ordinary, real_root };

// The program for one variant, for SECCOMP_SET_MODE_FILTER or sock_fprog as it stands. It lives as
// long as the process and is at most BPF_MAXINSNS long. The caller sets PR_SET_NO_NEW_PRIVS first.
//
// Every verdict is ALLOW, ERRNO or KILL_PROCESS, never a notification or a trap: the program works
// without a supervisor and cannot be weakened by one. Only the native architecture passes; x32 and
// 32-bit calls kill the process. Arguments that the kernel takes as int are judged by their low
// 32 bits alone, as the kernel reads them.
[[nodiscard]] std::span<const sock_filter> syscall_filter(FilterNesting nesting, FilterPrivilege privilege) noexcept;

}  // namespace paddock
