// The files that decide what a sandbox may do, read once each: nothing that an agent could have written is
// taken for the person's or the machine's word.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/result.h"
#include "cli/directories.h"

namespace paddock {

inline constexpr std::size_t settings_bytes_max = std::size_t{1} << 20;
inline constexpr std::size_t repository_file_bytes_max = std::size_t{64} << 10;
inline constexpr std::string_view repository_file_name = ".paddock.toml";

struct OwnFile {
  std::string text;
  std::string link_target;  // where it lies, without links; empty when no link led there
};

// `name` ("config.toml", "profiles/mine.toml") in one of Paddock's own directories; nothing when absent.
// It is refused where somebody else could write it, and, when the directory is moved or a link leads out of
// it, where it lies in a repository: what works there in a sandbox could write it. One that a link leads to
// must lie in no tree that the sandbox to be started can write: check_plan sees to that.
Result<std::optional<OwnFile>> read_own_file(const std::string& directory, OwnDirectory kind, const std::string& name);

// The ceiling; nothing when absent. It and each directory above it must be root's and written by nobody else.
Result<std::optional<std::string>> read_ceiling_file(const std::string& path);

struct RepositoryFile {
  std::string path;
  std::string text;
  FileIdentity directory;  // that it was read from
};

// A workspace's own file, `root` absolute and real. Read beneath the directory's descriptor, never through a
// link; anything but a regular file of at most repository_file_bytes_max is an error, for what it says must
// not be passed over.
Result<std::optional<RepositoryFile>> read_repository_file(const std::string& root);

// The name, in "projects", of the settings for one project: "/home/u/p" is "home:u:p.toml". "%" and ":" in a
// name are written as %25 and %3A; one longer than a name may be is "%%" and its SHA-256.
std::string project_settings_name(const std::string& root);

}  // namespace paddock
