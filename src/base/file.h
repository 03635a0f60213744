// Reading and writing whole small files, and the few descriptor helpers that everything shares.
// All descriptors are close-on-exec; nothing follows a final symbolic link unless it says so.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace paddock {

inline constexpr std::size_t file_bytes_max = std::size_t{4} << 20;

// What stat says of one path that is not followed. `kind` is one of the S_IFMT values, 0 if absent.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

// What differs as soon as a file's content does: the kernel sets the time of change at every write, and nobody can set
// it back (stat(2), utimensat(2)).
struct FileChange {
  std::uint64_t size = 0;
  std::int64_t changed_s = 0;
  std::int64_t changed_ns = 0;
  friend bool operator==(const FileChange&, const FileChange&) = default;
};

FileIdentity identity_of(const struct stat& status);
FileChange change_of(const struct stat& status);

// The whole regular file, at most `bytes_max` (an error beyond). Links are followed.
// Nothing when it does not exist.
Result<std::optional<std::string>> read_file_if_any(const std::string& path,
                                                    std::size_t bytes_max = file_bytes_max);
Result<std::string> read_file(const std::string& path, std::size_t bytes_max = file_bytes_max);
Result<std::string> read_all(int fd, std::size_t bytes_max = file_bytes_max);

Result<void> write_all(int fd, std::string_view bytes);
// Written beside and renamed over; mode 0600 unless told. The directory must exist.
Result<void> write_file(const std::string& path, std::string_view bytes, unsigned mode = 0600);

// `path` and its absent parents, each 0700 at creation. An existing directory is left as it is.
Result<void> make_private_directories(const std::string& path);

// An anonymous file in memory that holds `bytes`, sealed against change, read from the start.
Result<Fd> sealed_memory(const char* name, std::string_view bytes);

// A pipe, both ends close-on-exec.
struct Pipe {
  Fd read;
  Fd write;
};
Result<Pipe> make_pipe();

}  // namespace paddock
