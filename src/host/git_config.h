// git's configuration format (git-config(1), "SYNTAX"), read as git 2.39 reads it. Pure, bounded; it
// follows no include and knows no key.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace paddock {

inline constexpr std::size_t git_config_bytes_max = std::size_t{1} << 20;
inline constexpr std::size_t git_config_entries_max = 20'000;

struct GitConfigEntry {
  std::string section;              // lower case
  std::string subsection;           // as written; of the old [section.sub] form in lower case
  bool has_subsection = false;
  std::string name;                 // lower case
  std::optional<std::string> value; // nothing for a name without "=", which is a true boolean
  friend bool operator==(const GitConfigEntry&, const GitConfigEntry&) = default;
};

struct GitConfig {
  std::vector<GitConfigEntry> entries;  // in order
  std::size_t bad_line = 0;             // the first line that git would refuse; entries are those before it
  friend bool operator==(const GitConfig&, const GitConfig&) = default;
};

// Text beyond git_config_bytes_max or entries beyond the maximum make the line there a bad one.
GitConfig parse_git_config(std::string_view text);

// "section.name" or "section.subsection.name".
std::string git_config_key(const GitConfigEntry& entry);

// yes, on, true, a number other than 0, no value: true; no, off, false, 0, empty: false; else nothing.
std::optional<bool> git_boolean(const std::optional<std::string>& value);

}  // namespace paddock
