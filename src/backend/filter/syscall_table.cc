// The errno of a row is the one that the kernel itself gives where the facility is missing or the
// privilege is, because that is the branch which programs have:
//   EPERM       no capability. Programs report it and go on.
//   ENOSYS      an older kernel. glibc falls back from clone3 and openat2, libuv from io_uring.
//   EAFNOSUPPORT, EPROTONOSUPPORT, ENOPROTOOPT, ENOPKG   a kernel built without that module.
//   ENOTTY      a file system without that ioctl.
//   ENOTSUP     a file system without extended attributes: cp, tar and npm skip them silently.
#include "backend/filter/syscall_table.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/netlink.h>
#include <linux/sched.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>

namespace paddock {

bool ArgumentTest::holds(std::uint64_t argument_value) const {
  const std::uint32_t bits = static_cast<std::uint32_t>(argument_value) & mask;
  return kind == Kind::any_bit ? bits != 0 : bits == value;
}

bool Variants::contain(FilterNesting nesting, FilterPrivilege privilege) const {
  const bool nested = nesting == FilterNesting::off ? off : nesting == FilterNesting::browser ? browser : full;
  return nested && (ordinary || privilege == FilterPrivilege::real_root);
}

namespace {

constexpr Variants everywhere{};
constexpr Variants not_full{.full = false};
constexpr Variants only_off{.browser = false, .full = false};
constexpr Variants only_browser{.off = false, .full = false};
constexpr Variants only_real_root{.ordinary = false};

constexpr Verdict allow = verdict_allow;
constexpr Verdict eperm = verdict_errno(EPERM);
constexpr Verdict enosys = verdict_errno(ENOSYS);
constexpr Verdict enotty = verdict_errno(ENOTTY);
constexpr Verdict enopkg = verdict_errno(ENOPKG);
constexpr Verdict enotsup = verdict_errno(ENOTSUP);
constexpr Verdict enoprotoopt = verdict_errno(ENOPROTOOPT);
constexpr Verdict eafnosupport = verdict_errno(EAFNOSUPPORT);
constexpr Verdict eprotonosupport = verdict_errno(EPROTONOSUPPORT);

constexpr std::uint32_t namespaces_of_clone = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                              CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
constexpr std::uint32_t namespaces_of_browser = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
// CLONE_NEWTIME lies in the bits that clone takes as the exit signal: only unshare knows it.
constexpr std::uint32_t namespaces_of_unshare = namespaces_of_clone | CLONE_NEWTIME;

// O_TMPFILE holds O_DIRECTORY too, with which opendir passes no mode at all: the other bit makes the file.
constexpr std::uint32_t creates_file = O_CREAT | (O_TMPFILE & ~O_DIRECTORY);
constexpr std::uint32_t privilege_bits = S_ISUID | S_ISGID;

// The kernel's own numbers, where the C library has none.
constexpr std::uint32_t socket_type_mask = 0xf;  // SOCK_TYPE_MASK, linux/net.h
constexpr std::uint32_t protocol_dccp = 33, protocol_l2tp = 115, protocol_sctp = 132, protocol_smc = 256;
constexpr std::uint32_t level_ip = 0, level_ipv6 = 41;
constexpr std::uint32_t odd_personality = 0xf7 | FDPIC_FUNCPTRS | MMAP_PAGE_ZERO | READ_IMPLIES_EXEC;
constexpr std::uint32_t query_personality = 0xffffffff;

// clang-format off
const std::vector<SyscallRow> rows = {
    // Kernel facilities with no namespace of their own.
    {"keyctl", {}, eperm, everywhere, "keyrings are not namespaced"},
    {"add_key", {}, eperm, everywhere, "keyrings are not namespaced"},
    {"request_key", {}, eperm, everywhere, "keyrings are not namespaced; starts a helper on the host"},
    {"bpf", {}, eperm, everywhere, "kernel attack surface"},
    {"userfaultfd", {}, eperm, everywhere, "makes kernel races winnable"},
    {"perf_event_open", {}, eperm, everywhere, "kernel attack surface, watches other processes"},
    {"io_uring_setup", {}, enosys, everywhere, "its operations pass no filter"},
    {"io_uring_enter", {}, enosys, everywhere, "its operations pass no filter"},
    {"io_uring_register", {}, enosys, everywhere, "its operations pass no filter"},
    {"fanotify_init", {}, eperm, everywhere, "watches a whole file system"},
    {"open_by_handle_at", {}, eperm, everywhere, "opens files outside the granted mounts"},
    {"lookup_dcookie", {}, eperm, everywhere, "names paths outside the granted mounts"},
    {"pidfd_getfd", {}, eperm, everywhere, "takes descriptors out of another process"},
    {"modify_ldt", {}, enosys, everywhere, "16-bit segments, of no use without 32-bit calls"},
    {"uselib", {}, enosys, everywhere, "obsolete"},
    {"personality", {equals(0, query_personality)}, allow, everywhere, "asks only"},
    {"personality", {any_bit(0, odd_personality)}, eperm, everywhere, "weakens memory protection; setarch -R passes"},
    {"prlimit64", {equals(0, 0)}, allow, everywhere, "its own limits"},
    {"prlimit64", {}, eperm, everywhere, "limits of another process"},

    // The machine's own state.
    {"kexec_load", {}, eperm, everywhere, "replaces the kernel"},
    {"kexec_file_load", {}, eperm, everywhere, "replaces the kernel"},
    {"init_module", {}, eperm, everywhere, "kernel code"},
    {"finit_module", {}, eperm, everywhere, "kernel code"},
    {"delete_module", {}, eperm, everywhere, "kernel code"},
    {"clock_settime", {}, eperm, everywhere, "the machine's clock"},
    {"clock_adjtime", {}, eperm, everywhere, "the machine's clock"},
    {"settimeofday", {}, eperm, everywhere, "the machine's clock"},
    {"adjtimex", {}, eperm, everywhere, "the machine's clock"},
    {"stime", {}, eperm, everywhere, "the machine's clock"},
    {"swapon", {}, eperm, everywhere, "the machine's memory"},
    {"swapoff", {}, eperm, everywhere, "the machine's memory"},
    {"reboot", {}, eperm, everywhere, "the machine"},
    {"acct", {}, eperm, everywhere, "writes a file from the kernel"},
    {"quotactl", {}, eperm, everywhere, "whole file systems"},
    {"quotactl_fd", {}, eperm, everywhere, "whole file systems", 443},
    {"syslog", {}, eperm, everywhere, "the kernel's log and addresses"},
    {"sethostname", {}, eperm, not_full, "nested containers name themselves in full"},
    {"setdomainname", {}, eperm, not_full, "nested containers name themselves in full"},
    {"iopl", {}, eperm, everywhere, "hardware ports"},
    {"ioperm", {}, eperm, everywhere, "hardware ports"},
    {"nfsservctl", {}, eperm, everywhere, "obsolete"},
    {"vhangup", {}, eperm, everywhere, "terminals"},

    // Namespaces and mounts.
    {"clone3", {}, enosys, everywhere, "its flags lie in memory, which a filter cannot read"},
    {"clone", {any_bit(0, namespaces_of_clone)}, eperm, only_off, "nested namespaces"},
    {"clone", {any_bit(0, namespaces_of_clone & ~namespaces_of_browser)}, eperm, only_browser, "nested namespaces"},
    {"unshare", {any_bit(0, namespaces_of_unshare)}, eperm, only_off, "nested namespaces"},
    {"unshare", {any_bit(0, namespaces_of_unshare & ~namespaces_of_browser)}, eperm, only_browser, "nested namespaces"},
    {"setns", {}, eperm, not_full, "enters other namespaces"},
    {"mount", {}, eperm, not_full, "mounts"},
    {"umount", {}, eperm, not_full, "mounts"},
    {"umount2", {}, eperm, not_full, "mounts: uncovers what is masked"},
    {"pivot_root", {}, eperm, not_full, "mounts"},
    {"open_tree", {}, eperm, not_full, "mounts"},
    {"open_tree_attr", {}, eperm, not_full, "mounts", 467},
    {"move_mount", {}, eperm, not_full, "mounts"},
    {"fsopen", {}, eperm, not_full, "mounts"},
    {"fsconfig", {}, eperm, not_full, "mounts"},
    {"fsmount", {}, eperm, not_full, "mounts"},
    {"fspick", {}, eperm, not_full, "mounts"},
    {"mount_setattr", {}, eperm, not_full, "mounts", 442},

    // Device and file-system controls.
    {"ioctl", {equals(1, TIOCSTI)}, eperm, everywhere, "types into the terminal"},
    {"ioctl", {equals(1, TIOCLINUX)}, eperm, everywhere, "types into the console"},
    {"ioctl", {equals(1, TIOCSETD)}, eperm, everywhere, "loads line disciplines"},
    {"ioctl", {equals(1, TIOCCONS)}, eperm, everywhere, "takes the console's output"},
    {"ioctl", {equals(1, FICLONE)}, allow, everywhere, "copies by reference"},
    {"ioctl", {equals(1, FICLONERANGE)}, allow, everywhere, "copies by reference"},
    {"ioctl", {equals(1, FIDEDUPERANGE)}, allow, everywhere, "copies by reference"},
    {"ioctl", {masked(1, 0xff00, 0x9400)}, enotty, everywhere, "btrfs: a snapshot shows masked files"},
    {"ioctl", {masked(1, ~1U, SIOCGIFBR)}, enopkg, everywhere, "loads the bridge module without privilege"},
    {"ioctl", {masked(1, ~1U, SIOCBRADDBR)}, enopkg, everywhere, "loads the bridge module without privilege"},
    {"ioctl", {masked(1, ~1U, SIOCGIFVLAN)}, enopkg, everywhere, "loads the VLAN module without privilege"},

    // Sockets.
    {"socket", {equals(0, AF_UNIX)}, allow, everywhere, "governed by Landlock and the mounts"},
    {"socket", {masked(1, socket_type_mask, SOCK_PACKET)}, eafnosupport, everywhere, "AF_PACKET by another name"},
    {"socket", {masked(1, socket_type_mask, SOCK_DCCP)}, eprotonosupport, everywhere, "loads a module unprivileged"},
    {"socket", {masked(1, socket_type_mask, SOCK_SEQPACKET)}, eprotonosupport, everywhere, "SCTP"},
    {"socket", {equals(2, protocol_dccp)}, eprotonosupport, everywhere, "loads a module unprivileged"},
    {"socket", {equals(2, protocol_l2tp)}, eprotonosupport, everywhere, "loads a module unprivileged"},
    {"socket", {equals(2, protocol_sctp)}, eprotonosupport, everywhere, "loads a module unprivileged"},
    {"socket", {equals(2, protocol_smc)}, eprotonosupport, everywhere, "loads a module unprivileged"},
    {"socket", {equals(0, AF_INET)}, allow, everywhere, "the network, governed by its namespace"},
    {"socket", {equals(0, AF_INET6)}, allow, everywhere, "the network, governed by its namespace"},
    {"socket", {equals(0, AF_NETLINK), equals(2, NETLINK_ROUTE)}, allow, everywhere, "getifaddrs"},
    {"socket", {}, eafnosupport, everywhere, "vsock, packet, alg and every other family"},
    {"socketpair", {equals(0, AF_UNIX)}, allow, everywhere, "the one family with pairs"},
    {"socketpair", {}, eafnosupport, everywhere, "makes, and loads, the family before it refuses"},
    {"setsockopt", {equals(1, level_ip), masked(2, ~1U, 64)}, enoprotoopt, everywhere, "iptables in a nested network"},
    {"setsockopt", {equals(1, level_ip), masked(2, ~1U, 96)}, enoprotoopt, everywhere, "arpin a nested network"},
    {"setsockopt", {equals(1, level_ip), masked(2, ~1U, 128)}, enoprotoopt, everywhere, "ebin a nested network"},
    {"setsockopt", {equals(1, level_ip), masked(2, ~31U, 1152)}, enoprotoopt, everywhere, "IPVS in a nested network"},
    {"setsockopt", {equals(1, level_ipv6), masked(2, ~1U, 64)}, enoprotoopt, everywhere, "ip6in a nested network"},

    // Privilege planted in files, to be used on the host.
    {"chmod", {any_bit(1, privilege_bits)}, eperm, everywhere, "set-uid file"},
    {"fchmod", {any_bit(1, privilege_bits)}, eperm, everywhere, "set-uid file"},
    {"fchmodat", {any_bit(2, privilege_bits)}, eperm, everywhere, "set-uid file"},
    {"fchmodat2", {any_bit(2, privilege_bits)}, eperm, everywhere, "set-uid file", 452},
    {"open", {any_bit(1, creates_file), any_bit(2, privilege_bits)}, eperm, everywhere, "set-uid file"},
    {"openat", {any_bit(2, creates_file), any_bit(3, privilege_bits)}, eperm, everywhere, "set-uid file"},
    {"openat2", {}, enosys, everywhere, "its mode lies in memory, which a filter cannot read"},
    {"creat", {any_bit(1, privilege_bits)}, eperm, everywhere, "set-uid file"},
    {"mkdir", {any_bit(1, privilege_bits)}, eperm, everywhere, "set-gid directory"},
    {"mkdirat", {any_bit(2, privilege_bits)}, eperm, everywhere, "set-gid directory"},
    {"mknod", {any_bit(1, privilege_bits)}, eperm, everywhere, "set-uid file"},
    {"mknodat", {any_bit(2, privilege_bits)}, eperm, everywhere, "set-uid file"},
    {"setxattr", {}, enotsup, only_real_root, "file capabilities that count on the host"},
    {"lsetxattr", {}, enotsup, only_real_root, "file capabilities that count on the host"},
    {"fsetxattr", {}, enotsup, only_real_root, "file capabilities that count on the host"},
    {"setxattrat", {}, enotsup, only_real_root, "file capabilities that count on the host", 463},
};
// clang-format on

}  // namespace

std::vector<SyscallRow> syscall_table() { return rows; }

}  // namespace paddock
