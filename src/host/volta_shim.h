// Volta's shims: links to one program that reads, under its home, which version of what stands behind a name.
#pragma once

#include "host/version_shim.h"

namespace paddock {

// `root`: Volta's home, "~/.volta". Node and the package managers by the project's pin or the user's choice,
// anything else by the package that brought it.
ShimAnswer resolve_volta(const ShimQuestion& question, const std::string& root);

}  // namespace paddock
