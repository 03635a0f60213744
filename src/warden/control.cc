#include "warden/control.h"

#include "sys/calls.h"

namespace paddock::warden {
namespace {

constexpr int interrupted = -4;             // -EINTR
constexpr int no_signal = 0x4000;           // MSG_NOSIGNAL
constexpr unsigned truncated = 0x20 | 0x8;  // MSG_TRUNC | MSG_CTRUNC

// struct cmsghdr with one descriptor: SOL_SOCKET, SCM_RIGHTS.
struct CarriedDescriptor {
  unsigned long length = 20;
  int level = 1;
  int type = 1;
  int fd = -1;
  int padding = 0;
};

}  // namespace

bool send(int socket, protocol::Kind kind, int a, int b, int c, int carried) {
  protocol::Frame frame;
  frame.kind = kind;
  frame.a = a;
  frame.b = b;
  frame.c = c;
  sys::Iovec part{&frame, sizeof frame};
  CarriedDescriptor rights;
  rights.fd = carried;
  sys::MessageHeader message{nullptr, 0, &part, 1, nullptr, 0, 0};
  if (carried >= 0) {
    message.control = &rights;
    message.control_length = sizeof rights;
  }
  sys::Word sent;
  do {
    sent = sys::sendmsg(socket, message, no_signal);
  } while (sent == interrupted);
  return sent == sizeof frame;
}

bool receive(int socket, protocol::Frame& frame) {
  sys::Iovec part{&frame, sizeof frame};
  // No room for descriptors: one that is sent all the same is closed by the kernel and marks the message.
  sys::MessageHeader message{nullptr, 0, &part, 1, nullptr, 0, 0};
  sys::Word received;
  do {
    received = sys::recvmsg(socket, message, 0);
  } while (received == interrupted);
  if (received <= 0 || (message.flags & truncated) != 0) return false;
  return protocol::is_frame(&frame, static_cast<unsigned long>(received));
}

}  // namespace paddock::warden
