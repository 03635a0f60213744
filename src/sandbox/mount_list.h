// The mounts of this process's namespace, as /proc/self/mountinfo names them (proc_pid_mountinfo(5)).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace paddock {

struct MountPoint {
  std::string path;  // absolute; from this process's root
  std::string type;  // of the file system: "ext4"
  friend bool operator==(const MountPoint&, const MountPoint&) = default;
};

inline constexpr std::size_t mount_list_bytes_max = std::size_t{16} << 20;

// In the kernel's order: of two on one path the later one is on top. Lines of another shape are left out.
std::vector<MountPoint> parse_mounts(std::string_view mountinfo);
Result<std::vector<MountPoint>> list_mounts();

// The mount in which `path` lies; null when none does.
const MountPoint* holder_of(const std::vector<MountPoint>& mounts, std::string_view path);

}  // namespace paddock
