// The messages between the warden and whoever started it: one fixed frame a packet on a
// SOCK_SEQPACKET socket. A packet of another size, an unknown kind or one out of turn ends the
// conversation: `next` is the whole state machine, for both ends to hold the other to.
#pragma once

namespace paddock::protocol {

inline constexpr unsigned frame_magic = 0x46444b50;  // "PKDF"; the version is in its last byte's place
inline constexpr unsigned frame_version = 1;

enum class Kind : unsigned {
  // from the warden
  ready = 1,        // a: Landlock ABI in force; carries the pty master if the command has a terminal
  refused = 2,      // a: Refusal, b: index of the check or step, c: errno
  started = 3,      // a: the payload's pid inside
  exec_failed = 4,  // a: errno, b: Step
  stopped = 5,      // a: signal
  exited = 6,       // a: wait(2) status
  // to the warden
  go = 16,
  signal = 17,   // a: signal number, to the payload's process group
  resume = 18,   // continue a stopped payload
};

enum class Refusal : int {
  brief = 1,        // the brief or the command is malformed
  process = 2,      // b: Remainder, c: errno
  mount = 3,        // a check failed; b: its index, c: errno or 0 for a difference
  landlock = 4,
  terminal = 5,
  descriptors = 6,
  namespaces = 7,   // b: index of namespace_paths, c: errno, or 0 when it is the outside's
  filter = 8,       // c: errno; of a probe only: a payload's own is an exec_failed
};

// What is left of the privileges that the backend should have taken away.
enum class Remainder : int { none = 0, not_first_process, capability, bounding_set, new_privileges, kernel_root };

enum class Step : int { session = 1, directory, descriptors, limits, landlock, filter, execute };

struct Frame {
  unsigned magic = frame_magic;
  unsigned version = frame_version;
  Kind kind = Kind::go;
  int a = 0;
  int b = 0;
  int c = 0;
};
static_assert(sizeof(Frame) == 24);

enum class Talk : unsigned { coming_up, ready, released, running, stopped, ended, broken };

// The state after this frame from the warden (or, for go, to it). `broken` is final.
Talk next(Talk state, Kind kind);

// A received packet of `bytes` bytes is a frame of this version.
bool is_frame(const void* packet, unsigned long bytes);

}  // namespace paddock::protocol
