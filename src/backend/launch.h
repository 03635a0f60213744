// What a backend makes of a plan: a program, its arguments and its descriptors, as plain data. Nothing
// is open yet; starting it (sandbox/start.h) opens and checks everything.
#pragma once

#include <string>
#include <vector>

#include "base/file.h"

namespace paddock {

// What one descriptor of the child is.
struct DescriptorSlot {
  enum class Kind {
    null,         // /dev/null
    diagnostics,  // a pipe that we read: the backend's own messages
    control,      // the warden's end of the control channel
    brief,        // protocol/brief.h, made from the plan
    command,      // protocol/brief.h, made from the command
    warden,       // the warden's program
    payload,      // our own descriptor `index` (0, 1, 2), or a pipe in its place
    data,         // memory that holds `content`
  };
  Kind kind = Kind::null;
  int number = 0;       // in the child
  int index = 0;        // of payload
  std::string content;  // of data
  friend bool operator==(const DescriptorSlot&, const DescriptorSlot&) = default;
};

enum class LaunchKind {
  warden,   // the warden comes up inside, checks, and waits for go
  replace,  // the program takes our place: no sandbox
};

struct Launch {
  LaunchKind kind = LaunchKind::warden;
  std::string program;           // absolute
  FileIdentity program_identity; // of the file that was probed; checked on the descriptor that is executed,
  FileChange program_change;     // with its content as it was then
  std::vector<std::string> argv;
  std::vector<std::string> environment;  // exactly this
  std::string working_directory;
  std::vector<DescriptorSlot> slots;
  bool staged = false;  // its sources are on a stage: it is started with that and a kernel id of its own, or not at all
  friend bool operator==(const Launch&, const Launch&) = default;
};

}  // namespace paddock
