#include "terminal/output_end.h"

#include <algorithm>
#include <cerrno>
#include <chrono>

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include "terminal/status_answers.h"

namespace paddock::terminal {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view status_request = "\x1b[5n";
constexpr std::size_t status_answer_bytes = 4;

int remaining_ms(Clock::time_point until) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
  return static_cast<int>(std::max<long long>(left, 0));
}

// Whether `fd` has one of `events` (or an error) before `until`.
bool wait_for(int fd, short events, Clock::time_point until) {
  for (;;) {
    pollfd entry{fd, events, 0};
    const int ready = ::poll(&entry, 1, remaining_ms(until));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

bool write_within(int fd, std::string_view bytes, Clock::time_point until) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno != EAGAIN && errno != EINTR) {
      return false;
    } else if (!wait_for(fd, POLLOUT, until)) {
      return false;
    }
  }
  return true;
}

// One byte at a time, so that what follows our answer stays in the terminal for the shell.
OutputEnded drain(const OutputEnd& end) {
  OutputEnded ended;
  StatusAnswers answers;
  const auto limit = Clock::now() + std::chrono::milliseconds(answer_wait_ms_max);
  while (answers.seen() <= end.answers_owed) {
    const auto silence = Clock::now() + std::chrono::milliseconds(answer_silence_ms_max);
    if (!wait_for(end.input, POLLIN, std::min(silence, limit))) break;
    char byte = 0;
    const ssize_t got = ::read(end.input, &byte, 1);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) break;
    answers.feed({&byte, 1});
    if (ended.drained.size() < drained_bytes_max) ended.drained += byte;
  }
  ended.answered = answers.seen() > end.answers_owed;
  if (!ended.answered) ::tcflush(end.input, TCIFLUSH);
  const bool whole = ended.drained.size() < drained_bytes_max;
  if (ended.answered && whole) ended.drained.resize(ended.drained.size() - status_answer_bytes);
  return ended;
}

}  // namespace

OutputEnded end_output(const OutputEnd& end) {
  if (end.output < 0) return {};
  const bool ask = end.ask == AskTerminal::yes && end.input >= 0;
  std::string bytes(end.reset);
  if (ask) bytes += status_request;
  const auto until = Clock::now() + std::chrono::milliseconds(end_write_ms_max);
  if (bytes.empty() || !write_within(end.output, bytes, until) || !ask) return {};
  return drain(end);
}

}  // namespace paddock::terminal
