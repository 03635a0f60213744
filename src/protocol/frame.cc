#include "protocol/frame.h"

namespace paddock::protocol {

Talk next(Talk state, Kind kind) {
  switch (kind) {
    case Kind::ready:
      return state == Talk::coming_up ? Talk::ready : Talk::broken;
    case Kind::refused:
      return state == Talk::coming_up ? Talk::ended : Talk::broken;
    case Kind::go:
      return state == Talk::ready ? Talk::released : Talk::broken;
    case Kind::started:
      return state == Talk::released ? Talk::running : Talk::broken;
    case Kind::exec_failed:
      return state == Talk::released ? Talk::ended : Talk::broken;
    case Kind::stopped:
      return state == Talk::running || state == Talk::stopped ? Talk::stopped : Talk::broken;
    case Kind::exited:
      return state == Talk::running || state == Talk::stopped ? Talk::ended : Talk::broken;
    case Kind::resume:
      return state == Talk::running || state == Talk::stopped ? Talk::running : Talk::broken;
    case Kind::signal:
      return state == Talk::running || state == Talk::stopped ? state : Talk::broken;
  }
  return Talk::broken;
}

bool is_frame(const void* packet, unsigned long bytes) {
  if (bytes != sizeof(Frame)) return false;
  const Frame* frame = static_cast<const Frame*>(packet);
  return frame->magic == frame_magic && frame->version == frame_version;
}

}  // namespace paddock::protocol
