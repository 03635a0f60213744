#include "terminal/relay.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <limits>

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

namespace paddock::terminal {
namespace {

bool would_block(ssize_t result) { return result < 0 && (errno == EAGAIN || errno == EINTR); }

bool is_blocking(int fd) { return (::fcntl(fd, F_GETFL) & O_NONBLOCK) == 0; }

void add(std::vector<pollfd>& polls, std::optional<std::size_t>& entry, int fd, int events) {
  entry.reset();
  // With nothing to wait for there is no entry: a hang-up would wake the loop without end.
  if (events == 0) return;
  entry = polls.size();
  polls.push_back({fd, static_cast<short>(events), 0});
}

}  // namespace

Result<Relay> Relay::create(RelayEnds ends, FilterOptions options) {
  const int flags = ::fcntl(ends.master, F_GETFL);
  if (flags < 0 || ::fcntl(ends.master, F_SETFL, flags | O_NONBLOCK) != 0) {
    return system_error("making the sandbox's terminal non-blocking", errno);
  }
  Relay relay(ends, options);
  const bool careful = ends.output >= 0 && is_blocking(ends.output);
  relay.output_piece_ = careful ? blocking_write_bytes_max : std::numeric_limits<std::size_t>::max();
  relay.set_input(ends.input >= 0 ? InputFlow::open : InputFlow::paused);
  return relay;
}

void Relay::set_input(InputFlow flow) {
  input_flow_ = ends_.input >= 0 ? flow : InputFlow::paused;
  filter_.set_queries(input_flow_ == InputFlow::open ? Queries::pass : Queries::drop);
}

bool Relay::wants_output() const {
  return !master_ended_ && !master_dry_ && to_output_.size() - written_ < output_pending_bytes_max;
}

bool Relay::wants_input() const {
  return input_flow_ == InputFlow::open && !terminal_gone_ && !master_ended_ && !finishing_ &&
         to_master_.size() < input_pending_bytes_max;
}

void Relay::prepare(std::vector<pollfd>& polls) {
  const bool typed = !to_master_.empty() && !master_ended_ && !finishing_;
  add(polls, master_entry_, ends_.master, (wants_output() ? POLLIN : 0) | (typed ? POLLOUT : 0));
  add(polls, input_entry_, ends_.input, wants_input() ? POLLIN : 0);
  add(polls, output_entry_, ends_.output, output_flushed() ? 0 : POLLOUT);
}

short Relay::events_of(const std::vector<pollfd>& polls, std::optional<std::size_t> entry) const {
  return entry && *entry < polls.size() ? polls[*entry].revents : short{0};
}

void Relay::handle(const std::vector<pollfd>& polls) {
  const short master = events_of(polls, master_entry_);
  const short input = events_of(polls, input_entry_);
  const short output = events_of(polls, output_entry_);
  if ((input & (POLLIN | POLLHUP | POLLERR)) != 0) read_input(input);
  if ((master & (POLLOUT | POLLHUP | POLLERR)) != 0) write_master();
  if ((output & (POLLOUT | POLLHUP | POLLERR)) != 0) write_output();
  if (finishing_) {
    read_all_of_master();
  } else if ((master & (POLLIN | POLLHUP | POLLERR)) != 0) {
    read_master();
  }
}

// Whether there may be more. What was read is written at once: a terminal mostly takes it, and that
// saves a turn of the loop.
bool Relay::read_master() {
  if (!wants_output()) return false;
  std::array<char, relay_chunk_bytes> chunk;
  const ssize_t got = ::read(ends_.master, chunk.data(), chunk.size());
  if (got > 0) {
    filter_.feed({chunk.data(), static_cast<std::size_t>(got)}, to_output_);
    if (finishing_) final_bytes_ += static_cast<std::size_t>(got);
    if (final_bytes_ >= final_output_bytes_max) master_dry_ = true;
    write_output();
    return true;
  }
  if (got < 0 && errno == EINTR) return true;
  // EAGAIN is the truth: the kernel first moves what the slave wrote (n_tty_read, Linux 4.5).
  if (would_block(got)) {
    master_dry_ = finishing_;
  } else {
    master_ended_ = true;  // EIO: no slave is open any more
  }
  return false;
}

// Until it has nothing more, or the user's terminal takes no more.
void Relay::read_all_of_master() {
  while (read_master()) {
  }
}

void Relay::settle(int wait_ms) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(wait_ms);
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return;
    if (read_master()) continue;
    if (output_flushed()) return;
    pollfd entry{ends_.output, POLLOUT, 0};
    if (::poll(&entry, 1, static_cast<int>(left.count())) == 0) return;
    write_output();
  }
}

void Relay::write_output() {
  if (output_flushed()) return;
  if (ends_.output < 0 || terminal_gone_) {
    written_ = to_output_.size();
  } else {
    const std::size_t piece = std::min(to_output_.size() - written_, output_piece_);
    const ssize_t wrote = ::write(ends_.output, to_output_.data() + written_, piece);
    if (wrote > 0) {
      written_ += static_cast<std::size_t>(wrote);
    } else if (wrote < 0 && !would_block(wrote)) {
      lose_terminal();
    }
  }
  if (output_flushed()) {
    to_output_.clear();
    written_ = 0;
  } else if (written_ >= output_pending_bytes_max) {
    to_output_.erase(0, written_);
    written_ = 0;
  }
}

void Relay::read_input(short events) {
  std::array<char, relay_chunk_bytes> chunk;
  const std::size_t room = input_pending_bytes_max - to_master_.size();
  const ssize_t got = ::read(ends_.input, chunk.data(), std::min(room, chunk.size()));
  if (got > 0) {
    const std::string_view bytes(chunk.data(), static_cast<std::size_t>(got));
    answers_.feed(bytes);
    to_master_ += bytes;
    write_master();
    return;
  }
  if (would_block(got)) return;
  const bool hung_up = (events & (POLLHUP | POLLERR)) != 0;
  if (got < 0 && errno == EIO && !hung_up) {
    set_input(InputFlow::paused);  // the job is in the background
  } else if (got == 0 && !hung_up) {
    end_of_input_line();
  } else {
    lose_terminal();
  }
}

// A terminal that edits lines (GuardMode::lines) gives nothing for Ctrl-D; the payload's own gets the key.
void Relay::end_of_input_line() {
  termios settings{};
  if (::tcgetattr(ends_.master, &settings) != 0) return;
  if ((settings.c_lflag & ICANON) == 0) return;
  to_master_ += static_cast<char>(settings.c_cc[VEOF]);
  write_master();
}

void Relay::write_master() {
  if (to_master_.empty()) return;
  const ssize_t wrote = ::write(ends_.master, to_master_.data(), to_master_.size());
  if (wrote > 0) to_master_.erase(0, static_cast<std::size_t>(wrote));
  if (wrote < 0 && !would_block(wrote)) to_master_.clear();  // EIO: the end, which reading will tell
}

void Relay::lose_terminal() {
  terminal_gone_ = true;
  set_input(InputFlow::paused);
  to_output_.clear();
  written_ = 0;
}

void Relay::begin_finish() {
  finishing_ = true;
  to_master_.clear();
  read_all_of_master();
}

bool Relay::finished() const { return (master_ended_ || master_dry_) && (output_flushed() || terminal_gone_); }

void Relay::deliver_input(std::string_view bytes) {
  answers_.feed(bytes);
  const std::size_t room = input_pending_bytes_max - to_master_.size();
  to_master_ += bytes.substr(0, room);
  write_master();
}

std::uint64_t Relay::status_answers_owed() const {
  const std::uint64_t asked = filter_.counts().status_requests;
  return asked > answers_.seen() ? asked - answers_.seen() : 0;
}

}  // namespace paddock::terminal
