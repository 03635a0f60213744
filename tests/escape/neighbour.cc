// Uses up what all sandboxes of one user share, and holds it until standard input ends.
//   hold=ptys|inotify|pipes|in-flight|descriptors|watches
// Prints `HELD NAME COUNT ERRNO`, so that the driver knows that there was something to be short of.
#include "attempt.h"

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace attack {
namespace {

constexpr long tried_max = 200'000;
constexpr int in_one_message = 253;  // SCM_MAX_FD

void raise_limit() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// As many as this process can have; further processes go on where its own limit ends.
template <typename Make>
long hold(const Make& make) {
  long made = 0;
  while (made < tried_max && make()) ++made;
  return made;
}

long hold_pipes() {
  return hold([] {
    int ends[2];
    if (::pipe(ends) != 0) return false;
    ::fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
    return true;
  });
}

// Descriptors in messages that nobody receives, sent through sockets that are themselves sent.
long hold_in_flight() {
  const int one = ::open("/dev/null", O_RDONLY);
  int all[in_one_message];
  for (int& fd : all) fd = one;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof all)] = {};
  char byte = 0;
  iovec data{&byte, 1};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof all);
  std::memcpy(CMSG_DATA(header), all, sizeof all);
  long sent = 0;
  int pair[2] = {-1, -1};
  while (sent < tried_max) {
    if (pair[0] < 0 && ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) != 0) break;
    if (::sendmsg(pair[0], &message, MSG_DONTWAIT) >= 0) {
      sent += in_one_message;
      continue;
    }
    if (errno != EAGAIN) break;
    pair[0] = -1;  // full: another pair
  }
  return sent;
}

long hold_of(const std::string& what) {
  if (what == "ptys") return hold([] { return ::posix_openpt(O_RDWR | O_NOCTTY) >= 0; });
  if (what == "inotify") return hold([] { return ::inotify_init1(0) >= 0; });
  if (what == "watches") {
    const int fd = ::inotify_init1(0);
    long number = 0;
    return hold([&] {
      const std::string name = "/tmp/w" + std::to_string(number++);
      const int file = ::open(name.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
      if (file >= 0) ::close(file);
      return ::inotify_add_watch(fd, name.c_str(), IN_ALL_EVENTS) >= 0;
    });
  }
  if (what == "pipes") return hold_pipes();
  if (what == "in-flight") return hold_in_flight();
  return hold([] { return ::open("/dev/null", O_RDONLY) >= 0; });
}

}  // namespace

void neighbour(const Options& options) {
  raise_limit();
  const std::string what = options.one("hold", "descriptors");
  const long held = hold_of(what);
  std::printf("HELD %s %ld %s\n", what.c_str(), held, errno_name().c_str());
  std::fflush(stdout);
  char byte = 0;
  while (::read(0, &byte, 1) > 0) {
  }
}

}  // namespace attack
