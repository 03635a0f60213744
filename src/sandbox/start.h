// Starts a launch: opens what its descriptor slots say, checks what is opened, and spawns. From the
// main thread only (the parent-death signal follows the thread).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "backend/launch.h"
#include "base/fd.h"
#include "base/result.h"
#include "base/spawn.h"
#include "sandbox/stage.h"

namespace paddock {

// What stands behind the payload's 0, 1 and 2.
enum class StreamKind {
  pass,      // our own descriptor, as it is
  terminal,  // replaced by the sandbox's pty
  closed,    // closed here, closed there
};
using Streams = std::array<StreamKind, 3>;

// Looks at 0, 1 and 2. Errors: a directory on one of them.
Result<Streams> look_at_streams();

struct StartRequest {
  const Launch* launch = nullptr;
  std::string warden;   // absolute path of the warden's program
  std::string brief;    // the file's bytes
  std::string command;  // empty for a probe
  Streams streams{StreamKind::closed, StreamKind::closed, StreamKind::closed};
  std::array<int, 3> passed{0, 1, 2};  // our descriptors behind those that pass; borrowed
  std::vector<int> joins{};            // of the control groups that everything runs in; borrowed
  const Stage* stage = nullptr;        // exactly when the launch is staged
};

// A sandbox that is coming up or running. Letting go of it ends everything inside, and returns when that
// is complete.
struct StartedSandbox {
  Child child;      // the backend's program
  Fd control;       // our end, SOCK_SEQPACKET
  Fd diagnostics;   // what the backend says, for people when it fails

  StartedSandbox() = default;
  StartedSandbox(StartedSandbox&&) = default;
  StartedSandbox& operator=(StartedSandbox&&) = delete;
  ~StartedSandbox();
};

Result<StartedSandbox> start_launch(const StartRequest& request);

}  // namespace paddock
