// The descriptor numbers that every program inside is started with. The backend places them.
#pragma once

namespace paddock::descriptor {

inline constexpr int diagnostics = 2;   // the backend's own messages; ours never
inline constexpr int control = 3;       // SOCK_SEQPACKET, protocol/frame.h
inline constexpr int brief = 4;         // protocol/brief.h
inline constexpr int command = 5;       // protocol/brief.h; absent for a probe
inline constexpr int program = 6;       // the warden's own executable
inline constexpr int payload_first = 7; // 7, 8, 9: the payload's 0, 1, 2
inline constexpr int first_free = 10;

}  // namespace paddock::descriptor
