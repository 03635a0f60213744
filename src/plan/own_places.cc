#include "plan/own_places.h"

#include "base/path.h"

namespace paddock {
namespace {

const Origin built_in{OriginKind::built_in, "built in"};

// Links resolved as far as the path exists.
std::string real_place(const HostView& host, const std::string& place) {
  if (place == "/") return place;
  const std::optional<std::string> real = host.real_path(place);
  return real ? *real : path::join(real_place(host, path::parent(place)), path::name(place));
}

// Renamed away, what lies below would be out of the mount's reach, and a new one could be made in its place.
void pin_above(const MountTable& table, Protector& protector, const std::string& place) {
  for (std::string up = path::parent(place); up != "/" && table.is_writable(up); up = path::parent(up)) protector.pin(up, built_in);
}

void hide(MountTable& table, const std::string& place) {
  Claim claim;
  claim.strength = Strength::mask;
  claim.mount.kind = MountKind::mask_directory;
  claim.mount.target = place;
  claim.mount.reason = "Paddock's own";
  claim.mount.origin = built_in;
  table.claim(std::move(claim));
}

}  // namespace

std::vector<Seed> claim_own_places(MountTable& table, Protector& protector, const HostView& host, const OwnPlaces& own) {
  std::vector<Seed> seeds;
  for (const std::string& directory : own.directories) {
    if (directory.empty()) continue;
    const std::string place = real_place(host, directory);
    const FileKind kind = host.look(place).kind;
    if (kind == FileKind::absent && table.is_writable(place)) seeds.push_back({place, true, {}, {}});
    if (!table.is_visible(place) || kind != FileKind::directory) continue;
    pin_above(table, protector, place);
    hide(table, place);
  }
  for (const std::string& program : own.programs) {
    const std::string place = real_place(host, program);
    const HostFile file = host.look(place);
    if (file.kind != FileKind::file || !table.is_writable(place)) continue;
    pin_above(table, protector, place);
    table.show(place, file, MountAccess::read_only, Strength::protect, "protected: Paddock's own program", built_in);
  }
  return seeds;
}

}  // namespace paddock
