// A path followed link by link.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/known_files.h"

namespace paddock {

inline constexpr int links_followed_max = 40;  // as the kernel, path_resolution(7)

struct LinkChain {
  std::vector<std::string> links;   // each link met, in directories too: real directory + name
  std::optional<std::string> real;  // where it ends; nothing when absent, in a loop or not permitted
};

LinkChain follow_links(const std::string& absolute, KnownFiles& files);

}  // namespace paddock
