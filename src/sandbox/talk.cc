#include "sandbox/talk.h"

#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <cstring>

namespace paddock {
namespace {

using namespace protocol;

Error broken(const char* how) { return error(ErrorCode::cannot_start, std::string("the warden broke the protocol: ") + how); }

// The descriptors of one message; all are closed but the first.
Fd carried_by(msghdr& message, std::size_t& count) {
  Fd first;
  count = 0;
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t n = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < n; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(part) + i * sizeof(int), sizeof fd);
      Fd owned(fd);
      if (count++ == 0) first = std::move(owned);
    }
  }
  return first;
}

// Unix98 pty masters: /dev/ptmx, 5:2 (Documentation/admin-guide/devices.txt).
bool is_pty_master(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && S_ISCHR(status.st_mode) && major(status.st_rdev) == 5 && minor(status.st_rdev) == 2;
}

}  // namespace

Result<std::optional<Frame>> WardenTalk::receive() {
  // Larger than a frame, so that a longer packet is seen and not cut to a valid one.
  alignas(Frame) char packet[64];
  alignas(cmsghdr) char control[CMSG_SPACE(4 * sizeof(int))];
  iovec part{packet, sizeof packet};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t n;
  do {
    n = ::recvmsg(socket_, &message, MSG_CMSG_CLOEXEC);
  } while (n < 0 && errno == EINTR);
  if (n == 0 || (n < 0 && errno == ECONNRESET)) return std::optional<Frame>{};
  if (n < 0) return system_error("cannot read from the warden", errno);
  std::size_t count = 0;
  Fd carried = carried_by(message, count);
  if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0 || !is_frame(packet, static_cast<unsigned long>(n))) return broken("a packet is no frame");
  Frame frame;
  std::memcpy(&frame, packet, sizeof frame);
  state_ = next(state_, frame.kind);
  if (state_ == Talk::broken || frame.kind >= Kind::go) return broken("a frame is out of turn");
  if (count == 0) return std::optional<Frame>(frame);
  if (frame.kind != Kind::ready || count != 1 || !is_pty_master(carried.get())) return broken("a descriptor was not due");
  master_ = std::move(carried);
  return std::optional<Frame>(frame);
}

bool WardenTalk::send(Kind kind, int a) {
  const Talk after = next(state_, kind);
  if (after == Talk::broken) return true;
  state_ = after;
  Frame frame;
  frame.kind = kind;
  frame.a = a;
  ssize_t n;
  do {
    n = ::send(socket_, &frame, sizeof frame, MSG_NOSIGNAL);
  } while (n < 0 && errno == EINTR);
  return n == sizeof frame;
}

}  // namespace paddock
