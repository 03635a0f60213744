// What a nested namespace may be used for: nothing but what a browser needs of one.
//   expect=none|browser
#include "attempt.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace attack {
namespace {

Outcome expected(bool made, bool wanted) {
  if (made == wanted) return held();
  return escaped(made ? "was made" : "could not be made: " + errno_name());
}

// A user namespace below a user namespace: the kernel allows 32 levels.
Outcome goes_deep() {
  for (int level = 0; level < 40; ++level) {
    if (!enter_user_namespace()) return {End::held, std::to_string(level) + " levels"};
    if (::syscall(SYS_unshare, CLONE_NEWNS) == 0) return escaped("a mount namespace at level " + std::to_string(level));
  }
  return held();
}

Outcome sets_network_options() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  int value = 0;
  socklen_t length = sizeof value;
  // IPT_SO_SET_REPLACE, ARPT_SO_SET_REPLACE, EBT_SO_SET_ENTRIES, IP_VS_SO_SET_ADD.
  for (const int option : {64, 96, 128, 1154}) {
    if (::setsockopt(fd, 0, option, &value, length) == 0 || errno != ENOPROTOOPT) return escaped("option " + std::to_string(option) + ": " + errno_name());
  }
  return held();
}

}  // namespace

void nested(const Options& options) {
  const bool browser = options.one("expect") == "browser";
  attempt("user", [&] { return expected(::unshare(CLONE_NEWUSER) == 0, browser); });
  attempt("user+pid", [&] { return expected(::unshare(CLONE_NEWUSER | CLONE_NEWPID) == 0, browser); });
  attempt("user+net", [&] { return expected(::unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0, browser); });
  attempt("user+mount", [&] { return expected(::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0, false); });
  attempt("deep", goes_deep);
  for (const int family : {17 /* packet */, 16 /* netlink */}) {
    attempt_nested("net/family-" + std::to_string(family), [family] {
      const int protocol = family == 16 ? 12 /* NETFILTER */ : 0;
      return escaped_if(::socket(family, SOCK_RAW, protocol) >= 0, "made");
    }, CLONE_NEWNET);
  }
  attempt_nested("net/tables", sets_network_options, CLONE_NEWNET);
  attempt_nested("net/raw", [] { return escaped_if(::socket(AF_INET, SOCK_PACKET, 0) >= 0, "made"); }, CLONE_NEWNET);
}

}  // namespace attack
