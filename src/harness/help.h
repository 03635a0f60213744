// What the help text of an installed program says about the flags that its manifest relies on, and a
// manifest that does without those it does not know. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/manifest.h"

namespace paddock {

// The flags of `check` that the text does not name as whole words.
std::vector<std::string> missing_flags(const HelpCheck& check, std::string_view text);

// The manifest without the words that are, or belong to, a flag in `missing`. A feature that loses a
// flag is named in `lost`, once: "skip_permissions", "inner_sandbox_off", "confined".
struct Reduced {
  Manifest manifest;
  std::vector<std::string> lost;
};
Reduced without_flags(Manifest manifest, const std::vector<std::string>& missing);

}  // namespace paddock
