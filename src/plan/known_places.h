// Places of the host's that everybody knows and that a grant opens more than its words say: secrets, tool
// caches, sockets. Data; what follows from it is risk.h's.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace paddock {

struct KnownPlace {
  std::string_view path;        // below home
  std::string_view relaxation;  // the name of what it opens
  std::string_view what;        // "your SSH keys": continues "… holds"
};

std::span<const KnownPlace> secret_places();
// The host's: what lies there runs in all of a person's projects (THREATS 22).
std::span<const KnownPlace> tool_cache_places();

struct KnownSocket {
  std::string_view pattern;     // of its absolute path
  std::string_view relaxation;
  std::string_view what;        // continues the path: "gives root on this machine to whoever can talk to it"
};

// The one that says most of a socket at that path; the last row holds for all.
const KnownSocket& known_socket(const std::string& path);

}  // namespace paddock
