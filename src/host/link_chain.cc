#include "host/link_chain.h"

#include <algorithm>

#include "base/path.h"
#include "base/text.h"

namespace paddock {

LinkChain follow_links(const std::string& absolute, KnownFiles& files) {
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
    const HostFile file = files.look(next);
    if (file.kind == FileKind::absent || file.kind == FileKind::unreadable) return chain;
    if (file.kind != FileKind::link) {
      at = next;
      continue;
    }
    if (file.link_target.empty()) return chain;
    chain.links.push_back(next);
    if (chain.links.size() > links_followed_max) return chain;
    if (path::is_absolute(file.link_target)) at = "/";
    const std::vector<std::string> parts = split(file.link_target, '/');
    waiting.insert(waiting.end(), parts.rbegin(), parts.rend());
  }
  chain.real = at;
  return chain;
}

}  // namespace paddock
