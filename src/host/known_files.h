// What has been looked at for one plan, so that nothing is asked for twice and the absent costs little: one
// plan is made from one view of the machine. Looks and lists, never writes. For one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plan/host_view.h"

namespace paddock {

class KnownFiles {
 public:
  // As HostView::look and HostView::real_path.
  HostFile look(const std::string& path);
  std::optional<std::string> real_path(const std::string& path);

  // The kind alone, links not followed: it may stand in a listing already.
  FileKind kind(const std::string& path);

  // The whole text of a regular file of that size at most; nothing when there is none.
  std::optional<std::string> read(const std::string& path, std::size_t bytes_max);

  // Many names of this directory will be asked for, most of them absent: it is listed once instead.
  void expect_many(const std::string& directory);

 private:
  struct Entry {
    std::uint32_t at = 0;  // of the name in `names`
    std::uint32_t bytes = 0;
    unsigned char type = 0;  // DT_*
  };
  struct Listing {
    int absent = 0;  // names that were asked for
    bool is_tried = false;
    bool is_listed = false;
    std::string names;
    std::vector<Entry> entries;  // by name

    [[nodiscard]] std::string_view name_of(const Entry& entry) const { return std::string_view(names).substr(entry.at, entry.bytes); }
    [[nodiscard]] const Entry* find(std::string_view name) const;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view path) const { return std::hash<std::string_view>()(path); }
  };
  template <typename T>
  using ByPath = std::unordered_map<std::string, T, Hash, std::equal_to<>>;

  const Listing* listing_of(std::string_view directory) const;
  bool is_known_absent(std::string_view path) const;
  void count_absent(std::string_view path);
  static void list(std::string_view directory, Listing& listing);
  std::optional<std::string> resolve(const std::string& path, int links);
  std::optional<std::string> resolve_from_parent(const std::string& path, int links);

  ByPath<Listing> listings_;
  ByPath<HostFile> looked_;
  ByPath<std::optional<std::string>> resolved_;
  ByPath<std::optional<std::string>> texts_;
};

}  // namespace paddock
