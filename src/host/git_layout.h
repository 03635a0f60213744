// How the repository around a directory is laid out, by looking only: no git is started, nothing that
// lies in the repository is believed beyond what it says of paths, every read is bounded, and nothing
// blocks (a FIFO in the place of a file is not read).
#pragma once

#include <string>

#include "host/known_files.h"
#include "plan/host_view.h"

namespace paddock {

inline constexpr std::size_t git_pointer_bytes_max = 16 * 1024;

// From `directory` (which exists) upwards to the nearest repository, as git finds it (gitrepository-layout(5),
// git-rev-parse(1)), but not past a change of owner, a mount point, or into `home` from below. A
// `.git` that isn't a repository is passed over where a true one lies above, else reported as broken.
// A bare repository is a `directory` whose root, dot_git and git_dir are the same.
GitLayout find_git_layout(const std::string& directory, const std::string& home, KnownFiles& files);
inline GitLayout find_git_layout(const std::string& directory, const std::string& home) {
  KnownFiles files;
  return find_git_layout(directory, home, files);
}

}  // namespace paddock
