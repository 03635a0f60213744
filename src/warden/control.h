// The warden's end of the control channel. Everything that arrives comes from outside the sandbox;
// nothing that the payload does can reach this socket.
#pragma once

#include "protocol/frame.h"

namespace paddock::warden {

// Sends one frame, with a descriptor when `carried` >= 0. False when the other end is gone.
bool send(int socket, protocol::Kind kind, int a = 0, int b = 0, int c = 0, int carried = -1);

// Waits for one frame. False at end of file, on an error and on anything that is no frame.
bool receive(int socket, protocol::Frame& frame);

}  // namespace paddock::warden
