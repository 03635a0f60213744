// Fd owns one file descriptor. It closes it once and never duplicates it silently.
#pragma once

#include <unistd.h>

#include <utility>

namespace paddock {

class [[nodiscard]] Fd {
 public:
  Fd() = default;
  explicit Fd(int owned) : fd_(owned) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    reset(std::exchange(other.fd_, -1));
    return *this;
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { reset(); }

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool valid() const { return fd_ >= 0; }
  [[nodiscard]] int release() { return std::exchange(fd_, -1); }
  void reset(int owned = -1) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = owned;
  }

 private:
  int fd_ = -1;
};

}  // namespace paddock
