#include "host/link_chain.h"

#include <algorithm>
#include <cerrno>

#include "base/path.h"
#include "base/text.h"
#include "host/host_file.h"

namespace paddock {

LinkChain follow_links(const std::string& absolute) {
  LinkChain chain;
  std::vector<std::string> waiting = split(absolute, '/');
  std::reverse(waiting.begin(), waiting.end());
  std::string at = "/";
  while (!waiting.empty()) {
    const std::string part = std::move(waiting.back());
    waiting.pop_back();
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      at = path::parent(at);
      continue;
    }
    const std::string next = path::join(at, part);
    errno = 0;
    const auto target = read_link(next);
    if (!target) {
      if (errno != EINVAL) return chain;  // EINVAL: there, and no link
      at = next;
      continue;
    }
    chain.links.push_back(next);
    if (chain.links.size() > links_followed_max) return chain;
    if (path::is_absolute(*target)) at = "/";
    const std::vector<std::string> parts = split(*target, '/');
    waiting.insert(waiting.end(), parts.rbegin(), parts.rend());
  }
  chain.real = at;
  return chain;
}

}  // namespace paddock
