#include "warden/serve.h"

#include <linux/fcntl.h>
#include <linux/prctl.h>

#include "sys/calls.h"
#include "warden/control.h"
#include "protocol/descriptors.h"
#include "warden/landlock.h"
#include "warden/payload.h"
#include "warden/verify.h"

namespace paddock::warden {
namespace {

using namespace protocol;

struct Mapped {
  void* at = nullptr;
  unsigned long bytes = 0;
};

// The whole file, private and writable: the command's offsets become pointers in place.
Mapped map_file(int fd) {
  struct statx status;
  if (sys::statx(fd, "", sys::at_empty_path, STATX_SIZE, status) != 0 || status.stx_size == 0) return {};
  if (status.stx_size > brief_bytes_max) return {};
  constexpr int read_write = 3, map_private = 2;
  const sys::Word at = sys::mmap(nullptr, status.stx_size, read_write, map_private, fd, 0);
  if (at < 0) return {};
  return {reinterpret_cast<void*>(at), status.stx_size};
}

const char* const* pointers(void* mapped, Part part) {
  U64* entry = reinterpret_cast<U64*>(static_cast<char*>(mapped) + part.offset);
  for (U32 i = 0; i + 1 < part.count; ++i) entry[i] += reinterpret_cast<U64>(mapped);
  return reinterpret_cast<const char* const*>(entry);
}

int refuse(Refusal why, int index = 0, int number = 0) {
  send(descriptor::control, Kind::refused, static_cast<int>(why), index, number);
  return 0;
}

struct Terminal {
  int master = -1;
  int slave = -1;
};

// A pair from the sandbox's own devpts.
Terminal open_terminal(const Command& command) {
  Terminal terminal;
  const sys::Word master = sys::open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master < 0) return terminal;
  terminal.master = static_cast<int>(master);
  const int unlocked = 0;
  constexpr unsigned long set_lock = 0x40045431, get_peer = 0x5441;  // TIOCSPTLCK, TIOCGPTPEER
  if (sys::ioctl(terminal.master, set_lock, &unlocked) != 0) return terminal;
  const sys::Word slave = sys::call(__NR_ioctl, terminal.master, get_peer, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (slave < 0) return terminal;
  terminal.slave = static_cast<int>(slave);
  const sys::WindowSize size{command.rows, command.columns, 0, 0};
  constexpr unsigned long set_window_size = 0x5414;  // TIOCSWINSZ
  sys::ioctl(terminal.master, set_window_size, &size);
  return terminal;
}

// Watches one running payload until it has ended or the other end is gone.
class Watch {
 public:
  Watch(Started started, int child_signals) : started_(started), child_signals_(child_signals) {}

  // 0: reported; 1: nobody listens any more, which ends everything here.
  int run() {
    for (;;) {
      sys::PollFd fds[3] = {{descriptor::control, 1, 0}, {child_signals_, 1, 0}, {started_.report, 1, 0}};
      sys::poll(fds, 3);
      if (fds[2].revents != 0 && read_report()) return 0;
      if (fds[1].revents != 0 && reap()) return 0;
      if (fds[0].revents != 0 && !obey()) return 1;
    }
  }

 private:
  bool obey() {
    Frame frame;
    if (!receive(descriptor::control, frame)) return false;
    if (frame.kind == Kind::signal && started_.group > 0 && frame.a > 0 && frame.a < 65) sys::kill(-started_.group, frame.a);
    if (frame.kind == Kind::resume && started_.group > 0) sys::kill(-started_.group, sys::signal_continue);
    return true;
  }

  // True when the payload has ended and that is told.
  bool tell(int status) {
    if ((status & 0xff) == 0x7f) {  // WIFSTOPPED
      send(descriptor::control, Kind::stopped, status >> 8 & 0xff);
      return false;
    }
    send(descriptor::control, Kind::exited, status);
    return true;
  }

  bool read_report() {
    LeaderReport report;
    const sys::Word n = sys::read(started_.report, &report, sizeof report);
    if (n != sizeof report) {  // the leader has gone without a word: killed from inside
      sys::close(started_.report);
      started_.report = -1;
      return tell(sys::signal_kill);
    }
    switch (report.what) {
      case LeaderReport::What::started:
        started_.group = report.a;
        send(descriptor::control, Kind::started, report.a);
        return false;
      case LeaderReport::What::failed:
        send(descriptor::control, Kind::exec_failed, report.a, report.b);
        return true;
      case LeaderReport::What::status:
        return tell(report.a);
    }
    return false;
  }

  // Everything that has ended, ours and orphans; true when the payload is among it and has no leader.
  bool reap() {
    char drained[128];
    sys::read(child_signals_, drained, sizeof drained);
    bool ended = false;
    for (;;) {
      int status = 0;
      constexpr int without_waiting = 1, also_stopped = 2;  // WNOHANG, WUNTRACED
      const sys::Word pid = sys::wait4(-1, &status, without_waiting | also_stopped);
      if (pid <= 0) return ended;
      if (pid == started_.pid && started_.report < 0) ended = tell(status) || ended;
    }
  }

  Started started_;
  int child_signals_;
};

int run_command(const Payload& payload) {
  // SIGCHLD comes as a descriptor; blocked before the first child.
  constexpr unsigned long child_mask = 1ul << (sys::signal_child - 1);
  sys::sigprocmask(0, child_mask);
  const sys::Word child_signals = sys::signalfd(child_mask, O_CLOEXEC | O_NONBLOCK);
  if (child_signals < 0) {
    send(descriptor::control, Kind::exec_failed, static_cast<int>(-child_signals), static_cast<int>(Step::descriptors));
    return 0;
  }
  const Started started = payload.terminal >= 0 ? start_with_terminal(payload) : start_plain(payload);
  if (started.number != 0) {
    send(descriptor::control, Kind::exec_failed, started.number, static_cast<int>(started.step));
    return 0;
  }
  if (payload.terminal < 0) send(descriptor::control, Kind::started, started.pid);
  return Watch(started, static_cast<int>(child_signals)).run();
}

// A probe takes the last steps itself that a payload's process would take, and runs nothing.
int answer_probe(const void* brief_file, const Brief& brief, const Landlock& landlock) {
  if (landlock.ruleset >= 0) {
    if (const sys::Word failed = sys::landlock_restrict_self(landlock.ruleset); failed != 0) return refuse(Refusal::landlock, 0, static_cast<int>(-failed));
  }
  if (const sys::Word failed = install_filter(brief_file, brief); failed != 0) return refuse(Refusal::filter, 0, static_cast<int>(-failed));
  send(descriptor::control, Kind::ready, landlock.abi);
  return 0;
}

void close_payload_descriptors() { sys::close_range(descriptor::payload_first, descriptor::payload_first + 2, 0); }

}  // namespace

int serve() {
  sys::prctl(PR_SET_DUMPABLE, 0);
  sys::close(descriptor::program);
  sys::close_range(descriptor::first_free, ~0u, 0);
  if (const Remainder left = remaining_privileges(); left != Remainder::none) return refuse(Refusal::process, static_cast<int>(left));
  if (const sys::Word failed = sys::prctl(PR_SET_NO_NEW_PRIVS, 1); failed != 0) {
    return refuse(Refusal::process, static_cast<int>(Remainder::new_privileges), static_cast<int>(-failed));
  }

  const Mapped brief_file = map_file(descriptor::brief);
  const Brief* whole = open_brief(brief_file.at, brief_file.bytes);
  if (whole == nullptr) return refuse(Refusal::brief);
  if ((whole->flags & brief_not_root) != 0 && is_root_to_the_kernel()) return refuse(Refusal::process, static_cast<int>(Remainder::kernel_root));

  const Difference shared = verify_namespaces(*whole);
  if (shared.found) return refuse(Refusal::namespaces, static_cast<int>(shared.index), shared.number);
  const Difference difference = verify_mounts(brief_file.at, *whole);
  if (difference.found) return refuse(Refusal::mount, static_cast<int>(difference.index), difference.number);

  // From here on the sandbox is what the plan says.

  const Landlock landlock = make_landlock(brief_file.at, *whole);
  if (landlock.number != 0) return refuse(Refusal::landlock, 0, landlock.number);
  if ((whole->flags & brief_probe) != 0) return answer_probe(brief_file.at, *whole, landlock);

  const Mapped command_file = map_file(descriptor::command);
  const Command* order = open_command(command_file.at, command_file.bytes);
  if (order == nullptr) return refuse(Refusal::brief, 1);
  Terminal terminal;
  if ((order->flags & any_terminal) != 0) {
    terminal = open_terminal(*order);
    if (terminal.slave < 0) return refuse(Refusal::terminal);
  }
  // Refused by the kernel where too many descriptors of this user's are on their way (unix(7), ETOOMANYREFS).
  if (!send(descriptor::control, Kind::ready, landlock.abi, 0, 0, terminal.master)) return refuse(Refusal::descriptors);
  if (terminal.master >= 0) sys::close(terminal.master);

  Frame frame;
  if (!receive(descriptor::control, frame) || frame.kind != Kind::go) return 1;

  // From here on the outside is prepared too: limits, listeners and records are in place.

  Payload payload;
  payload.brief_file = brief_file.at;
  payload.brief = whole;
  payload.command = order;
  payload.argv = pointers(command_file.at, order->argv);
  payload.environment = pointers(command_file.at, order->environment);
  payload.directory = text(command_file.at, order->directory);
  payload.search_path = text(command_file.at, order->search_path);
  payload.ruleset = landlock.ruleset;
  payload.terminal = terminal.slave;
  sys::close(descriptor::brief);
  sys::close(descriptor::command);
  const int code = run_command(payload);
  close_payload_descriptors();
  return code;
}

}  // namespace paddock::warden
