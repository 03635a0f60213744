// A TOML value as bytes, and back: how the files of share/ are in the program already read. Written when
// the program is built and read by the same program, so it has no version and is not checked.
#pragma once

#include <string>
#include <string_view>

#include "policy/toml_document.h"

namespace paddock {

std::string write_tree(const TomlValue& value);
TomlValue read_tree(std::string_view tree);

}  // namespace paddock
