#include "backend/filter/filter_test_support.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/netlink.h>
#include <linux/sched.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/syscall.h>

namespace paddock {
namespace {

constexpr std::uint64_t high_bit = std::uint64_t{1} << 32U;
constexpr std::uint64_t high_half = std::uint64_t{0xffffffff} << 32U;

TEST(SyscallFilter, ForeignArchitecturesAreKilled) {
  const std::uint32_t foreign[] = {AUDIT_ARCH_I386, AUDIT_ARCH_ARM, AUDIT_ARCH_S390X, 0, ~0U};
  for (const TestedVariant& variant : tested_variants) {
    for (const std::uint32_t arch : foreign) {
      seccomp_data call = native_call(SYS_getpid);
      call.arch = arch;
      EXPECT_EQ(verdict_text(run_filter(variant.program(), call)), "kill") << variant.name << " " << arch;
    }
  }
}

#if defined(__x86_64__)
TEST(SyscallFilter, X32CallsAreKilledButACancelledCallIsNot) {
  for (const std::uint32_t number : {0x40000000U, 0x40000000U + 514U, 0x7fffffffU, 0x80000000U, 0xfffffffeU}) {
    EXPECT_EQ(judge(off, static_cast<int>(number), {}), "kill") << number;
  }
  EXPECT_EQ(judge(off, -1, {}), "ENOSYS");
}
#endif

TEST(SyscallFilter, UnknownNumbersDoNotExist) {
  EXPECT_EQ(judge(off, highest_known_number, {}), "allow");
  EXPECT_EQ(judge(off, highest_known_number + 1, {}), "ENOSYS");
  EXPECT_EQ(judge(full, 0x3fffffff, {}), "ENOSYS");
}

TEST(SyscallFilter, TerminalInjectionIsRefusedWhateverTheHighHalf) {
  for (const std::uint64_t request : {TIOCSTI, TIOCLINUX, TIOCSETD, TIOCCONS}) {
    for (const std::uint64_t high : {std::uint64_t{0}, high_bit, high_half}) {
      EXPECT_EQ(judge(full, SYS_ioctl, {0, request | high}), "EPERM") << request;
    }
  }
  EXPECT_EQ(judge(off, SYS_ioctl, {0, TCGETS}), "allow");
  EXPECT_EQ(judge(off, SYS_ioctl, {0, TIOCSCTTY}), "allow");
  EXPECT_EQ(judge(off, SYS_ioctl, {TIOCSTI, TIOCGWINSZ, TIOCSTI}), "allow");
}

TEST(SyscallFilter, BtrfsControlsAreRefusedExceptTheCopies) {
  const std::uint64_t copies[] = {FICLONE, FICLONERANGE, FIDEDUPERANGE};
  for (const std::uint64_t copy : copies) {
    EXPECT_EQ(judge(off, SYS_ioctl, {0, copy}), "allow");
    EXPECT_EQ(judge(off, SYS_ioctl, {0, copy | high_half}), "allow");
    for (unsigned bit = 0; bit < 32; ++bit) {
      const bool same_type = bit < 8 || bit > 15;
      EXPECT_EQ(judge(off, SYS_ioctl, {0, copy ^ (1ULL << bit)}), same_type ? "ENOTTY" : "allow") << copy << " " << bit;
    }
  }
  for (std::uint64_t number = 0; number < 256; ++number) {
    EXPECT_EQ(judge(off, SYS_ioctl, {0, 0x50009400 | number}), "ENOTTY");
    EXPECT_EQ(judge(off, SYS_ioctl, {0, high_bit | 0x9400 | number}), "ENOTTY");
  }
  EXPECT_EQ(judge(off, SYS_ioctl, {0, FS_IOC_GETFLAGS}), "allow");
}

TEST(SyscallFilter, IoctlsThatLoadModulesAreRefused) {
  for (const std::uint64_t request : {SIOCGIFBR, SIOCSIFBR, SIOCBRADDBR, SIOCBRDELBR, SIOCGIFVLAN, SIOCSIFVLAN}) {
    EXPECT_EQ(judge(full, SYS_ioctl, {0, request | high_bit}), "ENOPKG") << request;
  }
  for (const std::uint64_t request : {SIOCGIFCONF, SIOCGIFFLAGS, SIOCGIFINDEX, SIOCGIFADDR, SIOCGIFHWADDR}) {
    EXPECT_EQ(judge(off, SYS_ioctl, {0, request}), "allow") << request;
  }
}

TEST(SyscallFilter, OnlyFourSocketFamiliesPass) {
  for (std::uint64_t family = 0; family < 64; ++family) {
    const bool allowed = family == AF_UNIX || family == AF_INET || family == AF_INET6 || family == AF_NETLINK;
    for (const std::uint64_t high : {std::uint64_t{0}, high_bit, high_half}) {
      EXPECT_EQ(judge(full, SYS_socket, {family | high, SOCK_DGRAM, 0}), allowed ? "allow" : "EAFNOSUPPORT") << family;
      EXPECT_EQ(judge(full, SYS_socketpair, {family | high, SOCK_DGRAM}), family == AF_UNIX ? "allow" : "EAFNOSUPPORT");
    }
  }
  EXPECT_EQ(judge(off, SYS_socket, {0x10000 | AF_INET, SOCK_STREAM, 0}), "EAFNOSUPPORT");
}

TEST(SyscallFilter, NetlinkIsForRoutesOnly) {
  for (std::uint64_t protocol = 0; protocol < 32; ++protocol) {
    const char* expected = protocol == NETLINK_ROUTE ? "allow" : "EAFNOSUPPORT";
    EXPECT_EQ(judge(full, SYS_socket, {AF_NETLINK, SOCK_RAW, protocol | high_bit}), expected) << protocol;
  }
}

TEST(SyscallFilter, SocketTypesAndProtocolsThatLoadModulesAreRefused) {
  constexpr std::uint64_t flags = SOCK_CLOEXEC | SOCK_NONBLOCK | high_bit;
  EXPECT_EQ(judge(off, SYS_socket, {AF_INET, SOCK_PACKET | flags, 0}), "EAFNOSUPPORT");
  EXPECT_EQ(judge(off, SYS_socket, {AF_INET, SOCK_DCCP | flags, 0}), "EPROTONOSUPPORT");
  EXPECT_EQ(judge(off, SYS_socket, {AF_INET6, SOCK_SEQPACKET | flags, 0}), "EPROTONOSUPPORT");
  for (const std::uint64_t protocol : {33U, 115U, 132U, 256U}) {
    EXPECT_EQ(judge(off, SYS_socket, {AF_INET6, SOCK_STREAM | flags, protocol | high_bit}), "EPROTONOSUPPORT");
  }
  for (const std::uint64_t protocol : {0U, 1U, 6U, 17U, 58U, 136U, 262U}) {
    EXPECT_EQ(judge(off, SYS_socket, {AF_INET, SOCK_STREAM | flags, protocol}), "allow") << protocol;
  }
  EXPECT_EQ(judge(off, SYS_socket, {AF_UNIX, SOCK_SEQPACKET | flags, 0}), "allow");
}

TEST(SyscallFilter, PacketFilterTablesOfANestedNetworkCannotBeSet) {
  for (const std::uint64_t option : {64U, 65U, 96U, 97U, 128U, 129U, 1154U}) {
    EXPECT_EQ(judge(full, SYS_setsockopt, {3, high_bit, option | high_bit}), "ENOPROTOOPT") << option;
  }
  EXPECT_EQ(judge(full, SYS_setsockopt, {3, 41, 64}), "ENOPROTOOPT");
  EXPECT_EQ(judge(off, SYS_setsockopt, {3, 1, 64}), "allow");   // SOL_SOCKET
  EXPECT_EQ(judge(off, SYS_setsockopt, {3, 41, 67}), "allow");  // IPV6_TCLASS
}

TEST(SyscallFilter, NestedNamespacesFollowTheVariant) {
  struct Case {
    std::uint64_t flag;
    const char* in_browser;
  };
  const Case cases[] = {{CLONE_NEWUSER, "allow"},  {CLONE_NEWPID, "allow"}, {CLONE_NEWNET, "allow"},
                        {CLONE_NEWNS, "EPERM"},    {CLONE_NEWUTS, "EPERM"}, {CLONE_NEWIPC, "EPERM"},
                        {CLONE_NEWCGROUP, "EPERM"}};
  for (const long number : {SYS_clone, SYS_unshare}) {
    for (const Case& one : cases) {
      for (const std::uint64_t more : {std::uint64_t{0}, std::uint64_t{CLONE_FS}, high_half}) {
        EXPECT_EQ(judge(off, number, {one.flag | more}), "EPERM") << number << " " << one.flag;
        EXPECT_EQ(judge(browser, number, {one.flag | more}), one.in_browser) << number << " " << one.flag;
        EXPECT_EQ(judge(full, number, {one.flag | more}), "allow") << number << " " << one.flag;
      }
    }
    EXPECT_EQ(judge(browser, number, {CLONE_NEWUSER | CLONE_NEWNS}), "EPERM");
  }
}

TEST(SyscallFilter, TimeNamespaceIsAFlagOfUnshareAlone) {
  EXPECT_EQ(judge(off, SYS_unshare, {CLONE_NEWTIME}), "EPERM");
  EXPECT_EQ(judge(browser, SYS_unshare, {CLONE_NEWTIME | high_bit}), "EPERM");
  EXPECT_EQ(judge(full, SYS_unshare, {CLONE_NEWTIME}), "allow");
  EXPECT_EQ(judge(off, SYS_clone, {CLONE_NEWTIME}), "allow");
}

TEST(SyscallFilter, ThreadsAndForksPass) {
  constexpr std::uint64_t thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
                                   CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
  for (const TestedVariant& variant : tested_variants) {
    EXPECT_EQ(judge(variant, SYS_clone, {thread}), "allow");
    EXPECT_EQ(judge(variant, SYS_clone, {CLONE_VM | CLONE_VFORK | SIGCHLD}), "allow");
    EXPECT_EQ(judge(variant, SYS_clone, {CLONE_PIDFD | SIGCHLD}), "allow");
    EXPECT_EQ(judge(variant, SYS_clone3, {}), "ENOSYS");
    EXPECT_EQ(judge(variant, SYS_unshare, {CLONE_FILES | CLONE_FS}), "allow");
  }
}

TEST(SyscallFilter, MountsAndSetnsAreForFullAlone) {
  for (const long number : {165L, 166L, 155L, 308L, 428L, 429L, 430L, 431L, 432L, 433L, 442L, 467L}) {
    EXPECT_EQ(judge(off, number, {}), "EPERM") << number;
    EXPECT_EQ(judge(browser, number, {}), "EPERM") << number;
    EXPECT_EQ(judge(full, number, {}), "allow") << number;
  }
}

TEST(SyscallFilter, LimitsOfOthersAreRefused) {
  EXPECT_EQ(judge(off, SYS_prlimit64, {0}), "allow");
  EXPECT_EQ(judge(off, SYS_prlimit64, {high_half}), "allow");  // the kernel reads pid 0
  for (const std::uint64_t pid : {std::uint64_t{1}, high_bit | 1, std::uint64_t{0x80000000}, ~std::uint64_t{0}}) {
    EXPECT_EQ(judge(off, SYS_prlimit64, {pid}), "EPERM") << pid;
  }
}

TEST(SyscallFilter, PersonalityKeepsWhatDebuggersNeed) {
  for (const std::uint64_t persona : {0U, 8U, 0xffffffffU, unsigned{ADDR_NO_RANDOMIZE}, unsigned{UNAME26}}) {
    EXPECT_EQ(judge(off, SYS_personality, {persona | high_bit}), "allow") << persona;
  }
  for (const std::uint64_t persona : {1U, unsigned{READ_IMPLIES_EXEC}, unsigned{MMAP_PAGE_ZERO} | 8U, 0xfffffffeU}) {
    EXPECT_EQ(judge(off, SYS_personality, {persona | high_bit}), "EPERM") << persona;
  }
}

TEST(SyscallFilter, DebuggersKeepTheirCalls) {
  for (const long number : {SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_pidfd_open}) {
    EXPECT_EQ(judge(off, number, {}), "allow") << number;
  }
}

}  // namespace
}  // namespace paddock
