#include "host/known_files.h"

#include <linux/limits.h>

#include <algorithm>
#include <string_view>

#include "base/entries.h"
#include "base/path.h"
#include "host/host_file.h"

namespace paddock {
namespace {

// What a listing costs, in looks at names that are absent: only those are saved by it.
constexpr int absent_min = 5;
// A larger directory is asked name by name.
constexpr std::size_t listing_bytes_max = 16 << 10;

FileKind kind_of(unsigned char type) {
  switch (type) {
    case DT_REG: return FileKind::file;
    case DT_DIR: return FileKind::directory;
    case DT_LNK: return FileKind::link;
    case DT_SOCK: return FileKind::socket;
    case DT_FIFO: return FileKind::fifo;
    default: return FileKind::device;
  }
}

// A procfs makes its names as they are listed, which costs more than asking for a few.
bool is_worth_listing(std::string_view directory) { return directory != "/proc" && !directory.empty(); }

std::string_view name_in(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

void KnownFiles::list(const std::string& directory, Listing& listing) {
  listing.is_tried = true;
  const Fd fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return;
  char buffer[listing_bytes_max / 2];
  std::size_t bytes = 0;
  const int failed = for_each_entry(fd.get(), buffer, [&](const char* name, unsigned char type) {
    listing.entries.push_back({name, type});
    bytes += sizeof(KernelEntry) + listing.entries.back().name.size();
    return bytes < listing_bytes_max;
  });
  // Nothing may be concluded from a part of it; an empty one may be one that could not be read.
  listing.is_listed = failed == 0 && bytes < listing_bytes_max && !listing.entries.empty();
  if (!listing.is_listed) listing.entries.clear();
  std::ranges::sort(listing.entries, {}, &Entry::name);
}

void KnownFiles::expect_many(const std::string& directory) {
  Listing& listing = listings_[directory];
  if (!listing.is_tried) list(directory, listing);
}

// The listing that holds the path's name or shows that it is absent, if there is one.
const KnownFiles::Listing* KnownFiles::listing_above(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos || slash + 1 == path.size()) return nullptr;
  const auto known = listings_.find(path.substr(0, slash));
  return known == listings_.end() || !known->second.is_listed ? nullptr : &known->second;
}

const KnownFiles::Entry* KnownFiles::entry_of(const Listing& listing, const std::string& path) const {
  const std::string_view name = name_in(path);
  const auto place = std::ranges::lower_bound(listing.entries, name, {}, &Entry::name);
  return place == listing.entries.end() || place->name != name ? nullptr : &*place;
}

bool KnownFiles::is_known_absent(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == path.size() || path.find('\0') != std::string::npos) return false;
  std::string parent = path.substr(0, slash);
  if (const Listing* listing = listing_above(path)) {
    const std::string_view name = name_in(path);
    return name != "." && name != ".." && entry_of(*listing, path) == nullptr;
  }
  const auto known = looked_.find(parent);
  if (known != looked_.end()) return known->second.kind == FileKind::absent || known->second.kind == FileKind::file;
  return is_known_absent(parent);
}

HostFile KnownFiles::look(const std::string& path) {
  const auto known = looked_.find(path);
  if (known != looked_.end()) return known->second;
  if (is_known_absent(path)) return {};
  const HostFile& file = looked_.emplace(path, look_at(path)).first->second;
  if (file.kind == FileKind::absent) count_absent(path);
  return file;
}

void KnownFiles::count_absent(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return;
  const std::string directory = path.substr(0, slash);
  Listing& listing = listings_[directory];
  if (!listing.is_tried && ++listing.absent == absent_min && is_worth_listing(directory)) list(directory, listing);
}

FileKind KnownFiles::kind(const std::string& path) {
  if (const Listing* listing = listing_above(path)) {
    const Entry* entry = entry_of(*listing, path);
    if (entry != nullptr && entry->type != DT_UNKNOWN) return kind_of(entry->type);
  }
  return look(path).kind;
}

std::optional<std::string> KnownFiles::real_path(const std::string& path) { return resolve(path, 0); }

std::optional<std::string> KnownFiles::resolve(const std::string& path, int links) {
  const auto known = resolved_.find(path);
  if (known != resolved_.end()) return known->second;
  std::optional<std::string> found = resolve_from_parent(path, links);
  return resolved_.emplace(path, std::move(found)).first->second;
}

// What is known of the parent saves a call for each of its components.
std::optional<std::string> KnownFiles::resolve_from_parent(const std::string& path, int links) {
  constexpr int links_max = 40;  // as the kernel's MAXSYMLINKS
  if (path == "/") return path;
  if (path::normal(path) != path || path.size() >= PATH_MAX) return real_path_of(path);
  const auto parent = resolve(path::parent(path), links);
  if (!parent) return std::nullopt;
  const std::string place = path::join(*parent, path::name(path));
  const HostFile file = look(place);
  if (file.kind == FileKind::absent) return std::nullopt;
  if (file.kind == FileKind::unreadable) return real_path_of(place);
  if (file.kind != FileKind::link) return place;
  // ".." behind a link is not what it is behind a name: the C library walks.
  const bool is_plain = !file.link_target.empty() && file.link_target.find("..") == std::string::npos;
  if (!is_plain || links >= links_max || place.starts_with("/proc/")) return real_path_of(place);
  return resolve(path::normal(file.link_target, *parent), links + 1);
}

std::optional<std::string> KnownFiles::read(const std::string& path, std::size_t bytes_max) {
  const auto known = texts_.find(path);
  if (known == texts_.end() && is_known_absent(path)) return std::nullopt;
  const auto& text = known != texts_.end() ? known->second : texts_.emplace(path, read_or_nothing(path, bytes_max)).first->second;
  return text && text->size() > bytes_max ? std::nullopt : text;
}

}  // namespace paddock
