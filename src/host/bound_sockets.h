// The pathnames that Unix sockets are bound to, from the kernel's own list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace paddock {

inline constexpr std::size_t socket_list_bytes_max = std::size_t{16} << 20;

// Of the text of /proc/net/unix (proc(5)): every absolute pathname once, sorted. Names of the abstract kind
// begin with '@' there and are left out, and so are relative ones, which nobody can place. The kernel
// writes names as they are: one with a line end in it is cut off or lost.
std::vector<std::string> socket_paths_of(std::string_view listing);

// Of this process's network namespace. Errors: it cannot be read, or is larger than that.
Result<std::vector<std::string>> read_bound_sockets();

}  // namespace paddock
