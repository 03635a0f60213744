#include "base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>

#include "base/path.h"

namespace paddock {

FileIdentity identity_of(const struct stat& status) {
  return {static_cast<std::uint64_t>(major(status.st_dev)) << 32 | minor(status.st_dev), status.st_ino};
}

FileChange change_of(const struct stat& status) {
  return {static_cast<std::uint64_t>(status.st_size), status.st_ctim.tv_sec, status.st_ctim.tv_nsec};
}

Result<std::string> read_all(int fd, std::size_t bytes_max) {
  std::string bytes;
  char buffer[16384];
  for (;;) {
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error("cannot read", errno);
    if (n == 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(n));
    if (bytes.size() > bytes_max) return error(ErrorCode::cannot_start, "it is too large");
  }
}

namespace {

// A file that says its size is read in one call. One of /proc says 0, and its end is told by the last read.
Result<std::string> read_regular(int fd, std::size_t size, std::size_t bytes_max) {
  if (size == 0 || size > bytes_max) return read_all(fd, bytes_max);
  std::string bytes(size + 1, '\0');
  ssize_t n = 0;
  do n = ::read(fd, bytes.data(), bytes.size());
  while (n < 0 && errno == EINTR);
  if (n < 0) return system_error("cannot read", errno);
  bytes.resize(static_cast<std::size_t>(n));
  if (bytes.size() == size) return bytes;
  // It changes as it is read.
  bytes += TRY(read_all(fd, bytes_max));
  if (bytes.size() > bytes_max) return error(ErrorCode::cannot_start, "it is too large");
  return bytes;
}

}  // namespace

Result<std::optional<std::string>> read_file_if_any(const std::string& path, std::size_t bytes_max) {
  // O_NONBLOCK: a FIFO in the place of a file must not hold us up.
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!fd.valid() && (errno == ENOENT || errno == ENOTDIR)) return std::optional<std::string>{};
  if (!fd.valid()) return system_error("cannot open " + path, errno);
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return system_error("cannot look at " + path, errno);
  if (!S_ISREG(status.st_mode)) return error(ErrorCode::cannot_start, path + " is not a regular file");
  return std::optional<std::string>(TRY(read_regular(fd.get(), static_cast<std::size_t>(status.st_size), bytes_max).context(path)));
}

Result<std::string> read_file(const std::string& path, std::size_t bytes_max) {
  auto content = TRY(read_file_if_any(path, bytes_max));
  if (!content) return system_error("cannot open " + path, ENOENT);
  return std::move(*content);
}

Result<void> write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error("cannot write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

Result<void> write_file(const std::string& path, std::string_view bytes, unsigned mode) {
  std::string temporary = path + ".XXXXXX";
  const Fd fd(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!fd.valid()) return system_error("cannot create a file beside " + path, errno);
  const auto give_up = [&](Error failure) {
    ::unlink(temporary.c_str());
    return failure;
  };
  if (auto written = write_all(fd.get(), bytes); !written) return give_up(std::move(written).failure());
  if (::fchmod(fd.get(), mode) != 0 || ::rename(temporary.c_str(), path.c_str()) != 0) {
    return give_up(system_error("cannot write " + path, errno));
  }
  return {};
}

Result<void> make_private_directories(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return {};
    return error(ErrorCode::cannot_start, path + " is in the way: it is not a directory");
  }
  if (path != "/") TRY(make_private_directories(path::parent(path)));
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return system_error("cannot create the directory " + path, errno);
  }
  return {};
}

Result<Fd> sealed_memory(const char* name, std::string_view bytes) {
  Fd fd(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd.valid()) return system_error("cannot create a file in memory", errno);
  // Written without moving the place from which it will be read.
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::pwrite(fd.get(), bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error("cannot write", errno);
    at += static_cast<std::size_t>(n);
  }
  constexpr int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
  if (::fcntl(fd.get(), F_ADD_SEALS, seals) != 0) return system_error("cannot seal memory", errno);
  return fd;
}

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return system_error("cannot create a pipe", errno);
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

}  // namespace paddock
