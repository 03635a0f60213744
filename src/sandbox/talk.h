// Our end of the conversation with a warden: every frame is held to the protocol's state machine, and
// one descriptor at most is ever accepted, with `ready`.
#pragma once

#include <optional>

#include "base/fd.h"
#include "base/result.h"
#include "protocol/frame.h"

namespace paddock {

class WardenTalk {
 public:
  // `socket` is borrowed and outlives it.
  explicit WardenTalk(int socket) : socket_(socket) {}

  [[nodiscard]] int socket() const { return socket_; }
  [[nodiscard]] protocol::Talk state() const { return state_; }
  // The pty master that came with `ready`, checked to be one; taken once.
  Fd take_master() { return std::move(master_); }

  // Waits for the next frame. Nothing at end of file. Errors: a packet that is no frame, a frame out of
  // turn, a descriptor that was not due.
  Result<std::optional<protocol::Frame>> receive();

  // False when the other end is gone. Frames that are out of turn are not sent.
  bool send(protocol::Kind kind, int a = 0);

 private:
  int socket_;
  protocol::Talk state_ = protocol::Talk::coming_up;
  Fd master_;
};

}  // namespace paddock
