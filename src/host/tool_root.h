// Where tools live under a home, as one table: given the file or directory that is used, the smallest
// tree that has to be in view for it to work.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paddock {

// In every sandbox already, so never a need: /usr, /bin, /sbin, /lib*, /opt.
bool is_system_path(std::string_view path);

// May this directory be shown for the sake of a tool in it? Not a system path, `home`, an ancestor of
// it, a directory right below "/", or one in or above a place known to hold credentials.
bool may_be_shown(const std::string& directory, const std::string& home);

// ~/bin and ~/.local/bin: unrelated programs, many of them links.
bool is_common_bin(const std::string& directory, const std::string& home);

// `home` is without links in everything here, as are the other paths.

// What to show so that the program `real` (absolute, no links) runs: mostly one directory, the file
// itself where its directory may not or need not be shown, nothing for a system path.
std::vector<std::string> roots_of_program(const std::string& real, const std::string& home);

// The same for a directory on PATH (absolute, no links): nothing when it is not one for tools.
std::vector<std::string> roots_of_directory(const std::string& real, const std::string& home);

// Sorted, without those that lie below another one.
void keep_outermost(std::vector<std::string>& roots);

}  // namespace paddock
