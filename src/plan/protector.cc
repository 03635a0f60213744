#include "plan/protector.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"

namespace paddock {

bool Protector::is_opted_out(const std::string& name) const {
  return std::ranges::any_of(opted_out_, [&](const std::string& out) {
    return path::normal(out, "/") == path::normal(name, "/") || path_matches(path::normal(out, "/"), path::normal(name, "/"));
  });
}

void Protector::pin(const std::string& path, const Origin& origin) {
  const HostFile file = host_.look(path);
  if (file.kind != FileKind::directory || !table_.is_writable(path)) return;
  Claim claim;
  claim.strength = Strength::pin;
  claim.pin = true;
  claim.mount = {MountKind::bind, path, path, MountAccess::read_write, true, file.identity, 0, 0755, {}, "pinned: cannot be renamed away", origin};
  table_.claim(std::move(claim));
}

// A mount would go through the link to what it names. That is protected where it can be written; the
// link itself is compared at the end.
void Protector::protect_link(const ProtectOrder& order, const HostFile& link) {
  AbsentProtection watched;
  watched.path = order.path;
  watched.link_target = link.link_target;
  watched.quarantine = true;
  watched.origin = order.origin;
  if (std::ranges::find(absent_, watched.path, &AbsentProtection::path) == absent_.end()) absent_.push_back(std::move(watched));
  const std::optional<std::string> real = host_.real_path(order.path);
  if (!real || !table_.is_writable(*real)) return;
  table_.show(*real, host_.look(*real), MountAccess::read_only, Strength::protect, "protected: " + order.name, order.origin);
}

// The first link between the tree and the path, exclusive of the path itself; empty when there is none.
std::string Protector::link_above(const ProtectOrder& order) const {
  std::string found;
  for (std::string up = path::parent(order.path); up != order.tree && path::is_within(up, order.tree); up = path::parent(up)) {
    if (host_.look(up).kind == FileKind::link) found = up;
  }
  return found;
}

void Protector::pin_above(const ProtectOrder& order) {
  for (std::string up = path::parent(order.path); up != order.tree && path::is_within(up, order.tree); up = path::parent(up)) pin(up, order.origin);
}

bool Protector::is_held(const ProtectOrder& order) const { return stand_ins_ == StandInUse::allowed && order.when_absent == WhenAbsent::hold; }

void Protector::protect_absent(const ProtectOrder& order) {
  const bool hold = is_held(order) && host_.look(path::parent(order.path)).kind == FileKind::directory;
  absent_.push_back({order.path, {}, hold, order.is_directory, order.content, order.quarantine, order.origin});
  if (!hold) return;
  // The stand-in is there when the mount is made; what it is then is recorded at the start.
  HostFile stand_in;
  stand_in.kind = order.is_directory ? FileKind::directory : FileKind::file;
  table_.show(order.path, stand_in, MountAccess::read_only, Strength::protect, "held: " + order.name, order.origin);
}

void Protector::protect(const ProtectOrder& order) {
  if (is_opted_out(order.name)) return;
  if (!table_.is_writable(order.path)) return;
  if (const std::string link = link_above(order); !link.empty()) {
    ProtectOrder above = order;
    above.path = link;
    return protect_link(above, host_.look(link));
  }
  const HostFile file = host_.look(order.path);
  // What is only looked at afterwards needs no pins.
  const bool is_mounted = file.kind != FileKind::absent || is_held(order);
  if (order.pin && is_mounted) pin_above(order);
  switch (file.kind) {
    case FileKind::absent:
      return protect_absent(order);
    case FileKind::link:
      return protect_link(order, file);
    default:
      break;
  }
  if (file.kind == FileKind::file && file.links > 1) {
    relaxations_.push_back({"hard_link", fmt::format("protected file {} has {} names: through another one in a writable place it can be changed", visible(order.path), file.links), order.origin});
  }
  table_.show(order.path, file, MountAccess::read_only, Strength::protect, "protected: " + order.name, order.origin);
}

}  // namespace paddock
