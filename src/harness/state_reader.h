// The [[state]] tables of a manifest; used by manifest_reader.cc alone.
#pragma once

#include <string_view>

#include "harness/manifest.h"
#include "policy/toml_reader.h"

namespace paddock {

// "a/b" without an empty, "." or ".." part: nothing that leaves its directory.
bool is_path_below(std::string_view path);
// Begins with "~/" or "/", and its rest is_path_below.
bool is_home_or_full_path(std::string_view path);

void read_states(TomlTable& top, TomlReport& report, Manifest& manifest);

}  // namespace paddock
