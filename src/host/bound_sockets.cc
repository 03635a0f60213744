#include "host/bound_sockets.h"

#include <algorithm>

#include "base/file.h"
#include "base/text.h"

namespace paddock {
namespace {

constexpr int columns_before_path = 7;  // Num RefCount Protocol Flags Type St Inode

std::string_view path_column(std::string_view line) {
  for (int column = 0; column < columns_before_path; ++column) {
    const auto begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) return {};
    const auto end = line.find(' ', begin);
    if (end == std::string_view::npos) return {};
    line.remove_prefix(end);
  }
  line.remove_prefix(1);  // one space, then the name with all its own
  return line;
}

}  // namespace

std::vector<std::string> socket_paths_of(std::string_view listing) {
  std::vector<std::string> paths;
  while (!listing.empty()) {
    const auto end = listing.find('\n');
    const std::string_view path = path_column(listing.substr(0, end));
    if (path.starts_with('/')) paths.emplace_back(path);
    listing.remove_prefix(end == std::string_view::npos ? listing.size() : end + 1);
  }
  std::ranges::sort(paths);
  paths.erase(std::ranges::unique(paths).begin(), paths.end());
  return paths;
}

Result<std::vector<std::string>> read_bound_sockets() {
  return socket_paths_of(TRY(read_file("/proc/net/unix", socket_list_bytes_max).context("listing the host's sockets")));
}

}  // namespace paddock
