// What the warden is told: two sealed files in memory, in this layout. The writer is brief_writer.h;
// the warden only reads. Everything is checked by `open_*` before use; nothing here allocates.
//
// Layout: a fixed struct at offset 0, then tables and NUL-terminated strings, named by Part. All
// numbers are in host order: both ends run on one machine. A change of layout changes `version`.
#pragma once

#include <linux/filter.h>

namespace paddock::protocol {

using U32 = unsigned int;
using U64 = unsigned long;
static_assert(sizeof(U32) == 4 && sizeof(U64) == 8);

inline constexpr U32 brief_magic = 0x42444b50;    // "PKDB"
inline constexpr U32 command_magic = 0x43444b50;  // "PKDC"
inline constexpr U32 version = 2;
inline constexpr U64 brief_bytes_max = U64{16} << 20;

// `count` elements at `offset` bytes from the start. For text: `count` bytes before its NUL.
struct Part {
  U32 offset = 0;
  U32 count = 0;
};

// What the warden must find at one path before anything runs.
enum CheckFlag : U32 {
  check_mount_root = 1,   // something is mounted exactly there
  check_read_only = 2,    // that mount refuses writes
  check_identity = 4,     // device and inode are as recorded on the host
  check_empty = 8,        // a mask: a directory without entries, or a file of zero bytes
  check_directory = 16,   // a directory; otherwise anything but one
  check_writable = 32,    // that mount allows writes
};

struct Check {
  Part path;
  U64 device = 0;  // statx: major << 32 | minor
  U64 inode = 0;
  U32 flags = 0;
  U32 mount = 0;  // index in the plan's mounts, for the report
};

enum class Access : U32 { read = 1, write = 2 };

// A Landlock grant for one path and what lies beneath.
struct Grant {
  Part path;
  Access access = Access::read;
  U32 reserved = 0;
};

enum BriefFlag : U32 {
  brief_landlock_paths = 1,   // handle file system rights
  brief_landlock_scopes = 2,  // abstract sockets and signals, where ABI >= 6
  brief_probe = 4,            // report and exit: run nothing
  brief_not_root = 8,         // to the kernel this process must not be root
};

// The namespaces that the warden compares, by the names that the kernel gives them (namespaces(7)).
inline constexpr U32 namespace_kinds = 6;
inline constexpr U32 namespace_network = 5;
inline constexpr const char* namespace_paths[namespace_kinds] = {"/proc/self/ns/user", "/proc/self/ns/pid", "/proc/self/ns/ipc",
                                                                 "/proc/self/ns/uts",  "/proc/self/ns/mnt", "/proc/self/ns/net"};

// RLIM_INFINITY of the kernel
inline constexpr U64 unlimited = ~U64{0};

struct Brief {
  U32 magic = brief_magic;
  U32 layout = version;
  U64 bytes = 0;  // of the whole file
  U32 flags = 0;
  U32 reserved = 0;
  Part checks;  // Check
  Part grants;  // Grant
  Part filter;  // sock_filter; none: no filter (a relaxation)
  U64 processes_max = unlimited;  // RLIMIT_NPROC of payloads
  U64 open_files_soft = 1024;
  U64 open_files_hard = 4096;
  U64 outer_namespaces[namespace_kinds] = {};  // inode numbers outside, which those inside must differ from; 0: any
};

enum CommandFlag : U32 {
  terminal_stdin = 1,  // replaced by the pty; the others are passed through
  terminal_stdout = 2,
  terminal_stderr = 4,
  any_terminal = 7,
};

struct Command {
  U32 magic = command_magic;
  U32 layout = version;
  U64 bytes = 0;
  U32 flags = 0;
  U32 padding = 0;
  Part argv;         // U64 offsets of texts, then a 0
  Part environment;  // U64 offsets of texts, then a 0
  Part directory;    // text
  Part search_path;  // text: PATH for a program without a slash
  unsigned short rows = 24, columns = 80;
  U32 reserved = 0;
};

// Checks a mapped file of `bytes` bytes: magic, layout, every part inside and aligned, every text
// ended by NUL. Null when anything is wrong.
const Brief* open_brief(const void* mapped, U64 bytes);
const Command* open_command(const void* mapped, U64 bytes);

template <typename T>
const T* table(const void* mapped, Part part) {
  return reinterpret_cast<const T*>(static_cast<const char*>(mapped) + part.offset);
}
inline const char* text(const void* mapped, Part part) { return table<char>(mapped, part); }

}  // namespace paddock::protocol
