// Where wrapped commands lie until they are started: one file each, mode 0600, in a directory 0700 below
// Paddock's state directory, named by its content's digest. No sandbox sees the directory, and whoever puts
// another content in a file's place gives it another name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace paddock {

inline constexpr std::uint64_t wrapped_lifetime_s = 24 * 60 * 60;  // from the last time that it was wrapped
inline constexpr std::size_t wrapped_files_max = 20'000;
inline constexpr std::size_t findings_bytes_max = std::size_t{1} << 20;  // of one file

struct StoredPlace {
  std::string path;              // absolute
  std::uint64_t expires_at = 0;  // seconds since 1970
};

std::string wrapped_directory(const std::string& state_directory);

// Stores it, or gives what is there another lifetime; removes files that have expired, at most every ten
// minutes. Errors: the directory cannot be written, or holds too many that live.
Result<StoredPlace> store_wrapped(const std::string& state_directory, std::string_view text);

// The content of one that lives. Errors (cannot_start): it has expired or gone, is not ours alone, or is not
// what its name says.
Result<std::string> load_wrapped(const std::string& path);

// The file beside it where starts report what they found afterwards.
std::string findings_of(const std::string& path);
// Appends a line (see write_finding); without effect when the file is full or cannot be written.
void report_finding(const std::string& path, std::string_view text);

}  // namespace paddock
