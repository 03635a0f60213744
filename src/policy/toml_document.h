// A TOML file as a plain tree of values, each with its line. The only place that knows the TOML
// library; whoever reads a file goes through toml_reader.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace paddock {

inline constexpr std::size_t toml_bytes_max = std::size_t{1} << 20;
// Levels of tables and of dotted keys. The library's own tables are destroyed recursively.
inline constexpr unsigned toml_depth_max = 32;

enum class TomlKind { text, integer, real, boolean, moment, list, table };

struct TomlEntry;

struct TomlValue {
  TomlKind kind = TomlKind::table;
  unsigned line = 1;
  std::string text;
  std::int64_t integer = 0;
  double real = 0;
  bool boolean = false;
  std::vector<TomlValue> items;    // of a list
  std::vector<TomlEntry> entries;  // of a table, in the order of the file
  friend bool operator==(const TomlValue&, const TomlValue&) = default;
};

struct TomlEntry {
  std::string key;
  unsigned line = 1;
  TomlValue value;
  friend bool operator==(const TomlEntry&, const TomlEntry&) = default;
};

std::string_view name_of(TomlKind kind);  // "a string", "a list"

// A file's text, and the tree that it says where that is known: of the files of share/, which were read when
// the program was built (toml_tree.h).
struct TomlInput {
  std::string_view text;
  std::string_view tree = {};

  constexpr TomlInput(std::string_view of_text, std::string_view known_tree = {}) : text(of_text), tree(known_tree) {}
  TomlInput(const std::string& of_text) : text(of_text) {}
  constexpr TomlInput(const char* of_text) : text(of_text) {}
};

// The whole file; an empty one is an empty table. Errors carry `code` and begin with "WHERE:LINE: ".
Result<TomlValue> parse_toml(const TomlInput& input, std::string_view where, ErrorCode code);

}  // namespace paddock
