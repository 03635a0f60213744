// What the kernel says of one path, without opening it.
#pragma once

#include <optional>
#include <string>

#include "plan/host_view.h"

namespace paddock {

inline constexpr std::size_t list_entries_max = std::size_t{1} << 20;

// statx(2), the last component not followed. The device number of the identity is major << 32 | minor,
// as the warden computes it. `unreadable`: the kernel didn't answer (no search permission, I/O error).
HostFile look_at(const std::string& path);

// statx(2), links followed: absent if it leads nowhere.
HostFile look_through(const std::string& path);

bool is_directory(const std::string& path);     // links followed
bool is_regular_file(const std::string& path);  // links followed
bool exists(const std::string& path);           // links followed
bool may_execute(const std::string& path);      // the effective user; a directory may be "executed" too
// A regular file that the caller (effective ids) may execute; links followed.
bool is_executable_file(const std::string& path);

// As realpath(3): nothing when absent, in a loop or not permitted.
std::optional<std::string> real_path_of(const std::string& path);
// The text of a link; nothing when it is none.
std::optional<std::string> read_link(const std::string& path);

// A regular file's content; nothing when it is absent, larger than that, no regular file, or unreadable.
std::optional<std::string> read_or_nothing(const std::string& path, std::size_t bytes_max = file_bytes_max);

// Names without "." and "..", sorted; empty when it cannot be read, at most list_entries_max.
std::vector<std::string> list_directory(const std::string& path);

}  // namespace paddock
