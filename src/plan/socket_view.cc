#include "plan/socket_view.h"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "plan/known_places.h"

namespace paddock {
namespace {

// Where the name may lie: the kernel keeps what was given to bind(2).
std::vector<std::string> places_of(const std::string& name, const std::vector<std::string>& directories) {
  if (path::is_absolute(name)) return {path::normal(name)};
  std::vector<std::string> places;
  for (const std::string& directory : directories) places.push_back(path::normal(name, directory));
  return places;
}

}  // namespace

std::vector<Relaxation> sockets_in_reach(const MountTable& table, const HostView& host, const std::vector<std::string>& directories,
                                         const std::vector<GrantedPath>& granted) {
  std::set<std::string> seen;
  std::vector<Relaxation> found;
  for (const std::string& name : host.listening_sockets()) {
    for (const std::string& place : places_of(name, directories)) {
      // Only what is shown from the host at its own path; links are followed by what was granted already.
      const Claim* holder = table.at(place);
      if (holder == nullptr || holder->mount.kind != MountKind::bind || holder->mount.source != holder->mount.target) continue;
      if (host.look(place).kind != FileKind::socket || !seen.insert(place).second) continue;
      if (holder->mount.target == place && !holder->mount.is_directory) continue;  // by its own path: told already
      const KnownSocket& socket = known_socket(place);
      const auto grant = std::ranges::find_if(granted, [&](const GrantedPath& one) { return path::is_within(place, one.path); });
      found.push_back({std::string(socket.relaxation), fmt::format("{} {}; --mask hides it", visible(place), socket.what), grant == granted.end() ? holder->mount.origin : grant->origin});
      if (found.size() == told_sockets_max) return found;
    }
  }
  return found;
}

}  // namespace paddock
