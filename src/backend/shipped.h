// The bwrap that this build of Paddock ships, pinned by checksum: the checksum is written into the program when both
// are built (cmake/bubblewrap.cmake), so that who replaces the one file would have to replace the program too.
#pragma once

#include <string>
#include <string_view>

#include "base/file.h"

namespace paddock {

struct ShippedVersion {
  std::string_view version;  // of Debian's source package: "0.8.0-2+deb12u1"; empty when none is shipped
  std::string_view sha256;   // 64 hexadecimal digits; empty when none is shipped
};

ShippedVersion shipped_bubblewrap();

inline constexpr std::size_t shipped_bytes_max = std::size_t{16} << 20;

// What was read through one descriptor. Whoever executes a file of the same identity and change executes what was
// read: any write since would have changed the time of change.
struct CheckedContent {
  FileIdentity identity;
  FileChange change;
  std::string refusal;  // why this is not the shipped program; empty when it is
};

// Reads and hashes the whole file; a few milliseconds, so not for every start. Links at the end are not followed.
CheckedContent check_content(const std::string& path, std::string_view sha256);

}  // namespace paddock
