// Files of share/ that are part of the program. Defined in sources that generate_embedded.cc writes.
#pragma once

#include <span>
#include <string_view>

#include "policy/toml_document.h"

namespace paddock {

struct EmbeddedFile {
  std::string_view name;  // without its extension: "balanced"
  TomlInput content;
};

std::span<const EmbeddedFile> embedded_profiles();   // share/profiles, in alphabetical order
std::span<const EmbeddedFile> embedded_harnesses();  // share/harnesses; linked into the harness layer

}  // namespace paddock
