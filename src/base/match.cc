#include <fnmatch.h>

#include "base/text.h"

namespace paddock {

bool name_matches(std::string_view pattern, std::string_view name) {
  // Most patterns are plain, "x*" or "*x"; fnmatch is for the rest.
  const auto special = pattern.find_first_of("*?[\\");
  if (special == std::string_view::npos) return pattern == name;
  if (pattern[special] == '*') {
    if (special + 1 == pattern.size()) return name.starts_with(pattern.substr(0, special));
    const std::string_view rest = pattern.substr(1);
    if (special == 0 && rest.find_first_of("*?[\\") == std::string_view::npos) return name.ends_with(rest);
  }
  return ::fnmatch(std::string(pattern).c_str(), std::string(name).c_str(), 0) == 0;
}

namespace {

bool components_match(const std::vector<std::string>& pattern, std::size_t p,
                      const std::vector<std::string>& path, std::size_t n) {
  for (; p < pattern.size(); ++p, ++n) {
    if (pattern[p] == "**") {
      if (p + 1 == pattern.size()) return true;
      for (std::size_t skip = n; skip <= path.size(); ++skip) {
        if (components_match(pattern, p + 1, path, skip)) return true;
      }
      return false;
    }
    if (n == path.size() || !name_matches(pattern[p], path[n])) return false;
  }
  return n == path.size();
}

}  // namespace

bool path_matches(std::string_view pattern, std::string_view path) {
  constexpr std::size_t pattern_bytes_max = 4096;
  if (pattern.size() > pattern_bytes_max) return false;
  return components_match(split(pattern, '/'), 0, split(path, '/'), 0);
}

}  // namespace paddock
