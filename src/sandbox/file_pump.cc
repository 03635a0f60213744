#include "sandbox/file_pump.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include <fmt/core.h>

#include "base/file.h"
#include "base/path.h"

namespace paddock {

Result<std::unique_ptr<FilePump>> FilePump::create(int file, Direction direction) {
  auto pump = std::make_unique<FilePump>();
  Pipe pipe = TRY(make_pipe());
  pump->file_ = file;
  pump->direction_ = direction;
  const bool reads = direction == Direction::from_file;
  pump->ours_ = std::move(reads ? pipe.write : pipe.read);
  pump->theirs_ = std::move(reads ? pipe.read : pipe.write);
  if (reads) {
    pump->unread_ = Fd(::fcntl(pump->theirs_.get(), F_DUPFD_CLOEXEC, 0));
    pump->at_ = ::lseek(file, 0, SEEK_CUR);
  }
  // The pipe's own end of ours: another description than theirs, so theirs still blocks.
  ::fcntl(pump->ours_.get(), F_SETFL, O_NONBLOCK | ::fcntl(pump->ours_.get(), F_GETFL));
  return pump;
}

void FilePump::prepare(std::vector<pollfd>& polls) {
  if (!is_done_) polls.push_back({ours_.get(), static_cast<short>(direction_ == Direction::from_file ? POLLOUT : POLLIN), 0});
}

void FilePump::handle() {
  if (is_done_) return;
  if (direction_ == Direction::from_file) fill_pipe();
  else drain_pipe();
}

void FilePump::fill_pipe() {
  char buffer[pump_bytes_max];
  for (;;) {
    const ssize_t n = ::pread(file_, buffer, sizeof buffer, at_);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {  // the end, or a file that cannot be read: the payload sees the end
      failure_ = n < 0 ? errno : 0;
      is_done_ = true;
      ours_.reset();
      return;
    }
    const ssize_t written = ::write(ours_.get(), buffer, static_cast<std::size_t>(n));
    if (written <= 0) return;
    at_ += written;
    if (written < n) return;
  }
}

void FilePump::drain_pipe() {
  char buffer[pump_bytes_max];
  for (;;) {
    const ssize_t n = ::read(ours_.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    const bool ended = n <= 0 || !write_all(file_, {buffer, static_cast<std::size_t>(n)}).ok();
    if (!ended) continue;
    failure_ = n > 0 ? errno : 0;
    is_done_ = true;
    ours_.reset();  // a payload that goes on writing is told so (EPIPE)
    return;
  }
}

void FilePump::finish() {
  if (direction_ == Direction::to_file) {
    handle();
    return;
  }
  int left = 0;
  if (::ioctl(unread_.get(), FIONREAD, &left) == 0) ::lseek(file_, at_ - left, SEEK_SET);
}

namespace {

bool is_same_file(int a, int b) {
  struct stat first {};
  struct stat second {};
  return ::fstat(a, &first) == 0 && ::fstat(b, &second) == 0 && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

// Where the payload can open it for writing anyway, it gets the file itself.
bool is_granted(const Plan& plan, int fd) {
  char buffer[4096];
  const ssize_t n = ::readlink(fmt::format("/proc/self/fd/{}", fd).c_str(), buffer, sizeof buffer);
  if (n <= 0) return false;
  const std::string path(buffer, static_cast<std::size_t>(n));
  const Mount* holder = nullptr;
  for (const Mount& mount : plan.mounts) {
    if (path::is_within(path, mount.target)) holder = &mount;  // the last one is the deepest
  }
  return holder != nullptr && holder->kind == MountKind::bind && holder->access == MountAccess::read_write && holder->source == holder->target;
}

}  // namespace

Result<FilePumps> make_file_pumps(const Plan& plan, const Streams& streams) {
  FilePumps made;
  for (int fd = 0; fd < 3; ++fd) {
    const auto index = static_cast<std::size_t>(fd);
    struct stat status {};
    if (streams[index] != StreamKind::pass || ::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) continue;
    // Under another kernel id the file could not be opened again, a pipe can.
    if (!drops_kernel_uid(plan.user) && is_granted(plan, fd)) continue;
    if (fd == 2 && made.passed[1] != 1 && is_same_file(1, 2)) {
      made.passed[2] = made.passed[1];
      continue;
    }
    const bool can_read = (::fcntl(fd, F_GETFL) & O_ACCMODE) != O_WRONLY;
    const auto direction = fd == 0 && can_read ? FilePump::Direction::from_file : FilePump::Direction::to_file;
    made.pumps.push_back(TRY(FilePump::create(fd, direction)));
    made.passed[index] = made.pumps.back()->theirs();
  }
  return made;
}

}  // namespace paddock
