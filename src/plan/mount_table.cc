#include "plan/mount_table.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <fmt/core.h>

#include "base/path.h"

namespace paddock {
namespace {

bool grants(const Claim& claim) { return claim.strength == Strength::writable || claim.strength == Strength::read_only; }

// At one target, does `over` stand instead of `under`?
bool beats(const Claim& over, const Claim& under) {
  // A grant of exactly this path is not undone by a pattern.
  if (over.strength == Strength::mask && over.by_pattern) return !grants(under) || under.by_pattern;
  if (under.strength == Strength::mask && under.by_pattern) return !beats(under, over);
  return over.strength >= under.strength;
}

// Where `target` lies on the host when it is looked at through `mount`.
std::string behind(const Mount& mount, const std::string& target) {
  const std::string below = path::relative(target, mount.target);
  return below.empty() ? mount.source : path::join(mount.source, below);
}

// Shows exactly what the ancestor already shows there.
bool repeats(const Claim& claim, const Claim& above) {
  const Mount& mount = claim.mount;
  const Mount& ancestor = above.mount;
  if (claim.owner != above.owner || claim.group != above.group) return false;
  // Of the whole host the payload sees what everybody sees, and more of what was shown by name.
  if (ancestor.target == "/" && mount.seen_as != ancestor.seen_as) return false;
  if (mount.kind != MountKind::bind || ancestor.kind != MountKind::bind) return false;
  if (mount.access != ancestor.access) return false;
  return mount.source == behind(ancestor, mount.target);
}

// Nothing can be mounted through a link that is made inside: where something lies beneath one that has
// a size, an empty file system of that size takes its place.
void give_way(Mount& mount) {
  if (mount.kind != MountKind::link || mount.bytes_max == 0) return;
  mount.kind = MountKind::temporary;
  mount.source.clear();
  mount.access = MountAccess::read_write;
  mount.is_directory = true;
}

// How many bytes the two begin with alike, of `bytes`. Paths share long beginnings: by words.
std::size_t shared_bytes(const char* a, const char* b, std::size_t bytes) {
  std::size_t at = 0;
  for (std::uint64_t in_a, in_b; at + sizeof in_a <= bytes; at += sizeof in_a) {
    std::memcpy(&in_a, a + at, sizeof in_a);
    std::memcpy(&in_b, b + at, sizeof in_b);
    if (in_a != in_b) break;
  }
  while (at < bytes && a[at] == b[at]) ++at;
  return at;
}

// Does the ancestor's mask hide this one too? A plain path that is masked leaves what is granted below it.
bool is_hidden_by(const Claim& ancestor, const Claim& claim) {
  if (ancestor.strength != Strength::mask || claim.strength == Strength::mask) return false;
  const bool holds_only = claim.strength == Strength::pin || claim.strength == Strength::protect;
  return holds_only || ancestor.by_pattern || ancestor.mount.kind == MountKind::mask_file;
}

// Something of the same kind is there to be mounted upon, or the place is in memory and takes anything.
bool has_place(const Mount& mount, const Mount* holder, const HostView& host) {
  if (holder == nullptr || holder->kind != MountKind::bind) return true;
  if (mount.kind == MountKind::link || mount.kind == MountKind::directory || mount.kind == MountKind::data) return false;
  const FileKind there = host.look(behind(*holder, mount.target)).kind;
  const bool is_directory = mount.kind == MountKind::mask_file ? false : mount.is_directory;
  return is_directory ? there == FileKind::directory : there != FileKind::absent && there != FileKind::directory && there != FileKind::link;
}

// Whether whoever is neither owner nor group gets to the target through what the holder shows.
bool lets_others_through(const Mount& holder, const std::string& target, const HostView& host) {
  constexpr std::uint32_t others_may_pass = 01;
  if (holder.kind != MountKind::bind || holder.seen_as != SeenAs::others) return true;
  for (std::string up = path::parent(target); up != holder.target && path::is_within(up, holder.target); up = path::parent(up)) {
    if ((host.look(behind(holder, up)).mode & others_may_pass) == 0) return false;
  }
  return true;
}

}  // namespace

bool PathOrder::operator()(std::string_view a, std::string_view b) const {
  const std::size_t both = std::min(a.size(), b.size());
  const std::size_t shared = shared_bytes(a.data(), b.data(), both);
  if (shared == both) return a.size() < b.size();
  // '/' comes before every other byte.
  if (a[shared] == '/' || b[shared] == '/') return a[shared] == '/';
  return static_cast<unsigned char>(a[shared]) < static_cast<unsigned char>(b[shared]);
}

void MountTable::claim(Claim claim) {
  const auto place = claims_.lower_bound(claim.mount.target);
  if (place == claims_.end() || place->first != claim.mount.target) {
    std::string target = claim.mount.target;
    claims_.emplace_hint(place, std::move(target), std::move(claim));
    return;
  }
  Claim& standing = place->second;
  const bool pin = standing.pin || claim.pin;
  if (beats(claim, standing)) standing = std::move(claim);
  standing.pin = pin;
}

void MountTable::show(const std::string& path, const HostFile& file, MountAccess access, Strength strength, std::string reason, Origin origin) {
  Claim shown;
  shown.strength = strength;
  shown.owner = file.owner;
  shown.group = file.group;
  shown.mount.kind = MountKind::bind;
  shown.mount.target = path;
  shown.mount.source = path;
  shown.mount.access = access;
  shown.mount.is_directory = file.kind == FileKind::directory;
  shown.mount.identity = file.identity;
  shown.mount.reason = std::move(reason);
  shown.mount.origin = std::move(origin);
  claim(std::move(shown));
}

void MountTable::see_as_others() {
  for (auto& [target, claim] : claims_) {
    if (claim.mount.kind == MountKind::bind) claim.mount.seen_as = SeenAs::others;
  }
}

const Claim* MountTable::at(const std::string& path) const {
  // The nearest claim at or before the path is its deepest holder, or a neighbour that shares one with it.
  std::string_view at = path;
  for (;;) {
    auto place = claims_.upper_bound(at);
    if (place == claims_.begin()) return nullptr;
    --place;
    if (path::is_within(at, place->first)) return &place->second;
    // Up to what both have in common: nothing deeper can hold the path.
    while (!path::is_within(place->first, at)) at = at.substr(0, std::max<std::size_t>(at.rfind('/'), 1));
  }
}

bool MountTable::is_visible(const std::string& path) const {
  const Claim* claim = at(path);
  return claim != nullptr && claim->mount.kind == MountKind::bind;
}

bool MountTable::is_writable(const std::string& path) const {
  const Claim* claim = at(path);
  return claim != nullptr && claim->mount.access == MountAccess::read_write && claim->mount.kind == MountKind::bind;
}

std::vector<std::string> MountTable::remove_unplaced(const HostView& host) {
  std::vector<std::string> removed;
  std::vector<const Mount*> above;
  for (auto place = claims_.begin(); place != claims_.end();) {
    const Mount& mount = place->second.mount;
    while (!above.empty() && !path::is_within(mount.target, above.back()->target)) above.pop_back();
    if (has_place(mount, above.empty() ? nullptr : above.back(), host)) {
      above.push_back(&mount);
      ++place;
      continue;
    }
    removed.push_back(mount.target);
    place = claims_.erase(place);
  }
  return removed;
}

void MountTable::remove_unreachable(const HostView& host) {
  std::vector<const Mount*> above;
  for (auto place = claims_.begin(); place != claims_.end();) {
    const Claim& claim = place->second;
    while (!above.empty() && !path::is_within(claim.mount.target, above.back()->target)) above.pop_back();
    const bool takes_away = claim.strength == Strength::mask || claim.strength == Strength::protect || claim.strength == Strength::pin;
    if (takes_away && !above.empty() && !lets_others_through(*above.back(), claim.mount.target, host)) {
      place = claims_.erase(place);
      continue;
    }
    above.push_back(&claim.mount);
    ++place;
  }
}

Result<std::vector<Mount>> MountTable::ordered() const {
  std::vector<Mount> mounts;
  std::vector<const Claim*> above;  // the kept claims that hold the current one, outermost first
  for (const auto& [target, claim] : claims_) {
    while (!above.empty() && !path::is_within(target, above.back()->mount.target)) above.pop_back();
    if (!above.empty()) {
      const Claim& ancestor = *above.back();
      if (is_hidden_by(ancestor, claim)) continue;
      if (claim.strength == Strength::mask && ancestor.strength == Strength::mask) continue;
      if (!claim.pin && repeats(claim, ancestor)) continue;
    }
    if (!mounts.empty() && path::is_within(target, mounts.back().target)) give_way(mounts.back());
    above.push_back(&claim);
    mounts.push_back(claim.mount);
  }
  if (mounts.size() <= mounts_max) return mounts;
  return error(ErrorCode::cannot_start, fmt::format("the sandbox would need {} mounts, more than {}", mounts.size(), mounts_max),
               "name directories that hold many of the paths instead of each path");
}

}  // namespace paddock
