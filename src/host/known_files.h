// What has been looked at for one plan, so that nothing is asked for twice and the absent costs little: one
// plan is made from one view of the machine. Looks and lists, never writes. For one thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
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
    std::string name;
    unsigned char type = 0;  // DT_*
  };
  struct Listing {
    int absent = 0;  // names that were asked for
    bool is_tried = false;
    bool is_listed = false;
    std::vector<Entry> entries;  // by name
  };

  const Listing* listing_above(const std::string& path);
  const Entry* entry_of(const Listing& listing, const std::string& path) const;
  bool is_known_absent(const std::string& path);
  void count_absent(const std::string& path);
  void list(const std::string& directory, Listing& listing);
  std::optional<std::string> resolve(const std::string& path, int links);
  std::optional<std::string> resolve_from_parent(const std::string& path, int links);

  std::unordered_map<std::string, Listing> listings_;
  std::unordered_map<std::string, HostFile> looked_;
  std::unordered_map<std::string, std::optional<std::string>> resolved_;
  std::unordered_map<std::string, std::optional<std::string>> texts_;
};

}  // namespace paddock
