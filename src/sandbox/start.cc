#include "sandbox/start.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/major.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/wait.h>
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
  if (identity_of(status) == launch.program_identity && change_of(status) == launch.program_change) return {};
  return error(ErrorCode::cannot_start, visible(launch.program) + " is not the file that was checked before", "start again");
}

struct Ends {
  Fd control_theirs;
  Fd diagnostics_theirs;
};

// A pipe of root's could not be opened again by a payload that is not root (/dev/stderr in a script). Nobody
// but those who hold it reaches it by a name, so its mode keeps nobody else out.
void open_pipe_to_others(int fd) {
  struct stat status {};
  struct statfs system {};
  const bool is_pipe = ::fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode) && ::fstatfs(fd, &system) == 0 && system.f_type == PIPEFS_MAGIC;
  if (is_pipe && status.st_uid == 0) ::fchmod(fd, 0666);
}

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
        const int fd = request.passed[static_cast<std::size_t>(slot.index)];
        if (request.stage != nullptr) open_pipe_to_others(fd);
        opened.moves.push_back({fd, slot.number});
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

// Ends and reaps what a backend's program left that was killed. Only after the program itself has been
// reaped, and where this process has no other child.
void end_orphans() {
  // Those that were handed to us: /proc/PID/task/TID/children, proc(5).
  constexpr int rounds_max = 16;  // an orphan may hand us its own
  for (int round = 0; round < rounds_max; ++round) {
    if (::waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD) return;  // there is none
    const auto listed = read_file_if_any(fmt::format("/proc/self/task/{}/children", ::getpid()), 1 << 16);
    if (!listed || !*listed || trim(**listed).empty()) return;
    for (const std::string& word : split(trim(**listed), ' ')) {
      const auto pid = parse_unsigned(word);
      if (!pid) continue;
      ::kill(static_cast<pid_t>(*pid), SIGKILL);
      ::waitpid(static_cast<pid_t>(*pid), nullptr, 0);
    }
  }
}

}  // namespace

StartedSandbox::~StartedSandbox() {
  if (child.pid() < 0) return;
  // The end of the control channel ends the warden, and with pid 1 everything inside; the backend's program
  // has gone when that is complete.
  control.reset();
  constexpr int patience_ms = 5000;
  pollfd ended{child.pidfd(), POLLIN, 0};
  while (::poll(&ended, 1, patience_ms) < 0 && errno == EINTR) {
  }
  if (ended.revents == 0) child.kill(SIGKILL);
  child.wait();
  end_orphans();
}

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
      // A terminal is a character device, and none of those of memory (/dev/null and the like).
      const bool may_be_terminal = S_ISCHR(status.st_mode) && major(status.st_rdev) != MEM_MAJOR;
      kind = may_be_terminal && ::isatty(fd) == 1 ? StreamKind::terminal : StreamKind::pass;
    }
  }
  return streams;
}

Result<StartedSandbox> start_launch(const StartRequest& request) {
  const Launch& launch = *request.launch;
  if (launch.staged != (request.stage != nullptr)) return error(ErrorCode::cannot_start, "the launch and the stage for its sources do not belong together");
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
  spawn_request.joins = request.joins;
  spawn_request.limits = {open_files_raised()};
  if (request.stage != nullptr) spawn_request.stage = &request.stage->spawn;
  // No parent-death signal: it could end the backend's program in the moment in which its child only waits
  // for it. If we die, the warden finds the end of the control channel and exits, and the program with it.
  // If the program dies, what it leaves is ours (end_orphans).
  spawn_request.dies_with_parent = false;
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  started.child = TRY(spawn(spawn_request));
  ::fcntl(started.diagnostics.get(), F_SETFL, O_NONBLOCK);
  return started;
}

}  // namespace paddock
