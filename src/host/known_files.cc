#include "host/known_files.h"

#include <linux/limits.h>

#include <algorithm>

#include "base/entries.h"
#include "base/path.h"
#include "host/host_file.h"

namespace paddock {
namespace {

// What a listing costs, in looks at names that are absent: only those are saved by it.
constexpr int absent_min = 8;
// Names of a directory that is listed; a larger one is asked name by name.
constexpr std::size_t names_bytes_max = 16 << 10;

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

struct Split {
  std::string_view parent;  // empty for "/x" and for a name alone
  std::string_view name;    // empty for "x/"
};

Split split_path(std::string_view path) {
  const auto slash = path.rfind('/');
  if (slash == std::string_view::npos) return {{}, path};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

}  // namespace

const KnownFiles::Entry* KnownFiles::Listing::find(std::string_view name) const {
  const auto place = std::lower_bound(entries.begin(), entries.end(), name, [&](const Entry& entry, std::string_view wanted) { return name_of(entry) < wanted; });
  return place == entries.end() || name_of(*place) != name ? nullptr : &*place;
}

void KnownFiles::list(std::string_view directory, Listing& listing) {
  listing.is_tried = true;
  const Fd fd(::open(std::string(directory).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return;
  char buffer[names_bytes_max / 2];
  const int failed = for_each_entry(fd.get(), buffer, [&](const char* name, unsigned char type) {
    const auto at = static_cast<std::uint32_t>(listing.names.size());
    listing.names += name;
    listing.entries.push_back({at, static_cast<std::uint32_t>(listing.names.size()) - at, type});
    return listing.names.size() < names_bytes_max;
  });
  // Nothing may be concluded from a part of it; an empty one may be one that could not be read.
  listing.is_listed = failed == 0 && listing.names.size() < names_bytes_max && !listing.entries.empty();
  if (!listing.is_listed) listing.entries.clear();
  std::sort(listing.entries.begin(), listing.entries.end(), [&](const Entry& a, const Entry& b) { return listing.name_of(a) < listing.name_of(b); });
}

void KnownFiles::expect_many(const std::string& directory) {
  Listing& listing = listings_[directory];
  if (!listing.is_tried) list(directory, listing);
}

const KnownFiles::Listing* KnownFiles::listing_of(std::string_view directory) const {
  const auto known = listings_.find(directory);
  return known == listings_.end() || !known->second.is_listed ? nullptr : &known->second;
}

bool KnownFiles::is_known_absent(std::string_view path) const {
  const auto [parent, name] = split_path(path);
  if (parent.empty() || name.empty() || name == "." || name == "..") return false;
  if (const Listing* listing = listing_of(parent)) return listing->find(name) == nullptr;
  const auto known = looked_.find(parent);
  if (known != looked_.end()) return known->second.kind == FileKind::absent || known->second.kind == FileKind::file;
  return is_known_absent(parent);
}

HostFile KnownFiles::look(const std::string& path) {
  const auto known = looked_.find(path);
  if (known != looked_.end()) return known->second;
  if (path.find('\0') == std::string::npos && is_known_absent(path)) return {};
  const HostFile& file = looked_.emplace(path, look_at(path)).first->second;
  if (file.kind == FileKind::absent) count_absent(path);
  return file;
}

void KnownFiles::count_absent(std::string_view path) {
  const std::string_view directory = split_path(path).parent;
  if (!is_worth_listing(directory)) return;
  auto place = listings_.find(directory);
  if (place == listings_.end()) place = listings_.emplace(directory, Listing()).first;
  Listing& listing = place->second;
  if (!listing.is_tried && ++listing.absent == absent_min) list(directory, listing);
}

FileKind KnownFiles::kind(const std::string& path) {
  const auto [parent, name] = split_path(path);
  if (const Listing* listing = listing_of(parent)) {
    const Entry* entry = listing->find(name);
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
