// Carries bytes between a regular file of ours and a pipe that the payload has in its place. A payload
// that holds a file's own descriptor can change its mode, owner and attributes, and without Landlock
// reopen it for writing, although no grant holds the file.
#pragma once

#include <poll.h>

#include <array>
#include <memory>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "plan/plan.h"
#include "sandbox/start.h"

namespace paddock {

inline constexpr std::size_t pump_bytes_max = std::size_t{64} << 10;  // held for one file at any time

// One file. Reading does not move the file's offset until the end, and then by what the payload has
// taken: a shell loop that reads from the same file goes on where the command stopped.
class FilePump {
 public:
  enum class Direction { from_file, to_file };
  static Result<std::unique_ptr<FilePump>> create(int file, Direction direction);

  // For the payload; borrowed until close_theirs().
  [[nodiscard]] int theirs() const { return theirs_.get(); }
  void close_theirs() { theirs_.reset(); }

  void prepare(std::vector<pollfd>& polls);
  void handle();
  // The payload has ended: what it wrote goes to the file, what it did not read stays unread.
  void finish();
  [[nodiscard]] int failure() const { return failure_; }  // errno of the file

 private:
  void fill_pipe();
  void drain_pipe();

  int file_ = -1;  // borrowed
  Direction direction_ = Direction::to_file;
  Fd theirs_;
  Fd ours_;
  Fd unread_;  // of from_file: a second reading end, to ask what is left
  off_t at_ = 0;
  bool is_done_ = false;
  int failure_ = 0;
};

// The pumps of one run: for every regular file on 0, 1 and 2 that lies in no writable tree of the plan;
// where the payload gets another kernel id than ours, for every one.
// Standard output and error on one file share one pump, so that their order stays.
struct FilePumps {
  std::vector<std::unique_ptr<FilePump>> pumps;
  std::array<int, 3> passed{0, 1, 2};  // what stands behind each stream of the payload
};

Result<FilePumps> make_file_pumps(const Plan& plan, const Streams& streams);

}  // namespace paddock
