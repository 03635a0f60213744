#include "base/ask_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>

#include <fmt/core.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/spawn.h"
#include "base/text.h"

namespace paddock {
namespace {

// What is there now; false at the end.
bool read_more(int fd, std::string& said, std::size_t bytes_max) {
  char buffer[4096];
  const ssize_t n = ::read(fd, buffer, sizeof buffer);
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  said.append(buffer, std::min(static_cast<std::size_t>(n), bytes_max - said.size()));
  return n != 0;
}

// Only while the child has not been reaped: until then the number of its group is its own.
void kill_group(const Child& child) {
  ::kill(-child.pid(), SIGKILL);
  child.kill(SIGKILL);
}

}  // namespace

Result<Asked> ask_program(const AskRequest& request) {
  Pipe said = TRY(make_pipe());
  const Fd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!nothing.valid()) return system_error("cannot open /dev/null", errno);
  SpawnRequest spawn_request;
  spawn_request.program_path = request.program;
  spawn_request.argv = {request.program};
  spawn_request.argv.insert(spawn_request.argv.end(), request.arguments.begin(), request.arguments.end());
  spawn_request.environment = request.environment;
  spawn_request.working_directory = "/";
  spawn_request.descriptors = {{nothing.get(), 0}, {said.write.get(), 1}, {said.write.get(), 2}};
  Child child = TRY(spawn(spawn_request));
  said.write.reset();
  ::fcntl(said.read.get(), F_SETFL, O_NONBLOCK);

  // Its end counts, not that of the pipe: something that it left behind may hold that open.
  Asked asked;
  const std::uint64_t deadline = monotonic_ms() + request.timeout_ms;
  for (bool is_open = true;;) {
    const std::uint64_t now = monotonic_ms();
    pollfd polls[2]{{child.pidfd(), POLLIN, 0}, {said.read.get(), POLLIN, 0}};
    if (now >= deadline || (::poll(polls, is_open ? 2 : 1, static_cast<int>(deadline - now)) < 0 && errno != EINTR)) {
      kill_group(child);
      return error(ErrorCode::cannot_start, fmt::format("{} gave no answer within {} ms", visible(request.program), request.timeout_ms));
    }
    if (is_open && polls[1].revents != 0) is_open = read_more(said.read.get(), asked.said, request.bytes_max);
    if (polls[0].revents == 0) continue;
    while (is_open && asked.said.size() < request.bytes_max && ::poll(&polls[1], 1, 0) > 0) is_open = read_more(said.read.get(), asked.said, request.bytes_max);
    ::kill(-child.pid(), SIGKILL);
    asked.status = child.wait();
    return asked;
  }
}

}  // namespace paddock
