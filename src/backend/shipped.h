// The bwrap that this build of Paddock ships, pinned by checksum: written into the program when both are built
// (cmake/bubblewrap.cmake), so that who replaces the one file would have to replace the program too.
#pragma once

#include <string_view>

namespace paddock {

struct ShippedVersion {
  std::string_view version;  // of Debian's source package: "0.8.0-2+deb12u1"; empty when none is shipped
  std::string_view sha256;   // 64 hexadecimal digits; empty when none is shipped
};

ShippedVersion shipped_bubblewrap();

}  // namespace paddock
