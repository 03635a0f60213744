#include "sandbox/start.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>

#include <fmt/core.h>

#include "base/file.h"
#include "base/text.h"

namespace paddock {
namespace {

// Everything that was opened for one start; what the child has got is closed here with it.
struct Opened {
  std::vector<Fd> owned;
  std::vector<DescriptorMove> moves;

  void give(Fd fd, int number) {
    moves.push_back({fd.get(), number});
    owned.push_back(std::move(fd));
  }
};

Result<Fd> open_or_fail(const std::string& path, int flags) {
  Fd fd(::open(path.c_str(), flags | O_CLOEXEC));
  if (!fd.valid()) return system_error("cannot open " + visible(path), errno);
  return fd;
}

Result<void> check_identity(int fd, const Launch& launch) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return system_error("cannot look at " + visible(launch.program), errno);
  const FileIdentity found{static_cast<std::uint64_t>(major(status.st_dev)) << 32 | minor(status.st_dev), status.st_ino};
  if (found == launch.program_identity) return {};
  return error(ErrorCode::cannot_start, visible(launch.program) + " is not the file that was checked before", "start again");
}

struct Ends {
  Fd control_theirs;
  Fd diagnostics_theirs;
};

Result<void> open_slot(const DescriptorSlot& slot, const StartRequest& request, Ends& ends, Opened& opened) {
  using Kind = DescriptorSlot::Kind;
  switch (slot.kind) {
    case Kind::null:
      opened.give(TRY(open_or_fail("/dev/null", O_RDWR)), slot.number);
      return {};
    case Kind::diagnostics:
      opened.give(std::move(ends.diagnostics_theirs), slot.number);
      return {};
    case Kind::control:
      opened.give(std::move(ends.control_theirs), slot.number);
      return {};
    case Kind::brief:
      opened.give(TRY(sealed_memory("brief", request.brief)), slot.number);
      return {};
    case Kind::command:
      if (!request.command.empty()) opened.give(TRY(sealed_memory("command", request.command)), slot.number);
      return {};
    case Kind::warden:
      opened.give(TRY(open_or_fail(request.warden, O_RDONLY)), slot.number);
      return {};
    case Kind::data:
      opened.give(TRY(sealed_memory("data", slot.content)), slot.number);
      return {};
    case Kind::payload:
      if (request.streams[static_cast<std::size_t>(slot.index)] == StreamKind::pass) {
        opened.moves.push_back({request.passed[static_cast<std::size_t>(slot.index)], slot.number});
      }
      return {};
  }
  return {};
}

// The warden keeps descriptors in reserve whatever the payload's own limit is.
ResourceLimit open_files_raised() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  return {RLIMIT_NOFILE, limit};
}

}  // namespace

Result<Streams> look_at_streams() {
  Streams streams;
  for (int fd = 0; fd < 3; ++fd) {
    StreamKind& kind = streams[static_cast<std::size_t>(fd)];
    struct stat status {};
    if (::fstat(fd, &status) != 0) {
      kind = StreamKind::closed;
    } else if (S_ISDIR(status.st_mode)) {
      return error(ErrorCode::cannot_start, fmt::format("descriptor {} is a directory: it would show the command a part of the host", fd), "redirect it to a file, a pipe or /dev/null");
    } else {
      kind = ::isatty(fd) == 1 ? StreamKind::terminal : StreamKind::pass;
    }
  }
  return streams;
}

Result<StartedSandbox> start_launch(const StartRequest& request) {
  const Launch& launch = *request.launch;
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return system_error("cannot create a socket", errno);
  StartedSandbox started;
  Ends ends;
  started.control = Fd(pair[0]);
  ends.control_theirs = Fd(pair[1]);
  Pipe said = TRY(make_pipe());
  started.diagnostics = std::move(said.read);
  ends.diagnostics_theirs = std::move(said.write);

  Opened opened;
  for (const DescriptorSlot& slot : launch.slots) TRY(open_slot(slot, request, ends, opened));
  const Fd program = TRY(open_or_fail(launch.program, O_PATH));
  TRY(check_identity(program.get(), launch));

  // From here on the program that is executed is the one that was probed.

  SpawnRequest spawn_request;
  spawn_request.program = program.get();
  spawn_request.program_path = launch.program;
  spawn_request.argv = launch.argv;
  spawn_request.environment = launch.environment;
  spawn_request.working_directory = launch.working_directory;
  spawn_request.descriptors = opened.moves;
  spawn_request.limits = {open_files_raised()};
  started.child = TRY(spawn(spawn_request));
  ::fcntl(started.diagnostics.get(), F_SETFL, O_NONBLOCK);
  return started;
}

}  // namespace paddock
