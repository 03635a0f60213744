#include "sandbox/mount_list.h"

#include <algorithm>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"

namespace paddock {
namespace {

// Blank, tab, line end and backslash are written as three octal digits.
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '7'; };
    if (text[i] != '\\' || !digit(i + 1) || !digit(i + 2) || !digit(i + 3)) {
      plain += text[i];
      continue;
    }
    plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
    i += 3;
  }
  return plain;
}

}  // namespace

std::vector<MountPoint> parse_mounts(std::string_view mountinfo) {
  constexpr std::size_t place_of_path = 4, fields_min = 6;
  std::vector<MountPoint> mounts;
  for (const std::string& line : split(mountinfo, '\n')) {
    const std::vector<std::string> fields = split(line, ' ');
    // Optional fields end with a "-", and the type is next.
    const auto dash = std::find(fields.begin() + static_cast<std::ptrdiff_t>(std::min(fields.size(), fields_min)), fields.end(), "-");
    if (dash == fields.end() || std::next(dash) == fields.end()) continue;
    mounts.push_back({unescaped(fields[place_of_path]), unescaped(*std::next(dash))});
  }
  return mounts;
}

Result<std::vector<MountPoint>> list_mounts() {
  return parse_mounts(TRY(read_file("/proc/self/mountinfo", mount_list_bytes_max)));
}

const MountPoint* holder_of(const std::vector<MountPoint>& mounts, std::string_view path) {
  const MountPoint* holder = nullptr;
  for (const MountPoint& mount : mounts) {
    if (path::is_within(path, mount.path) && (holder == nullptr || mount.path.size() >= holder->path.size())) holder = &mount;
  }
  return holder;
}

}  // namespace paddock
