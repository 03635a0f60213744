// What must hold of the manifest reader for any bytes at all; used by the fuzz target and the replay test.
#pragma once

#include <cstdlib>
#include <string_view>

#include "harness/manifest.h"

namespace paddock {

inline void read_hostile_manifest(std::string_view bytes) {
  const auto must = [](bool holds) {
    if (!holds) std::abort();
  };
  const auto manifest = read_manifest(bytes, "FILE");
  if (!manifest.ok()) return must(manifest.failure().message.starts_with("FILE:"));
  must(!manifest->id.empty());
  for (const StatePath& state : manifest->state) must(state.path.find("..") != 0 && !state.path.empty());
  // Additions only ever add: the user's words stay, in their order.
  const std::vector<std::string> given = {"-m", "run", "x"};
  const auto words = with_additions(manifest->skip_permissions, given);
  must(words.size() >= given.size() && words.back() == "x");
}

}  // namespace paddock
