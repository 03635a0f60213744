#include "sandbox/run.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>

#include <fmt/core.h>

#include "backend/brief_of.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "sandbox/aftermath.h"
#include "sandbox/foreground.h"
#include "sandbox/stand_ins.h"
#include "sandbox/start.h"
#include "sandbox/state_watch.h"

namespace paddock {
namespace {

unsigned terminal_flags(const Streams& streams) {
  unsigned flags = 0;
  for (unsigned i = 0; i < streams.size(); ++i) {
    if (streams[i] == StreamKind::terminal) flags |= 1u << i;
  }
  return flags;
}

std::string literal(const Plan& plan, std::string_view name) {
  const auto found = std::ranges::find(plan.environment, name, &Variable::name);
  return found == plan.environment.end() ? std::string() : found->value;
}

// The other end of the terminal gets its real size with the first poll; this is for programs that ask at once.
void set_first_size(protocol::CommandInput& command) {
  winsize size{};
  for (const int fd : {1, 0, 2}) {
    if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_row == 0) continue;
    command.rows = size.ws_row;
    command.columns = size.ws_col;
    return;
  }
}

StartRequest start_request(const Plan& plan, const Launch& launch, const RunRequest& request, const Streams& streams) {
  protocol::BriefInput brief = brief_of(plan);
  set_open_files(brief);
  protocol::CommandInput command;
  command.flags = terminal_flags(streams);
  command.argv = plan.command;
  command.environment = environment_values(plan, request.host_environment, request.given);
  command.directory = plan.directory;
  command.search_path = literal(plan, "PATH");
  if (command.flags != 0) set_first_size(command);
  return {&launch, request.warden, write_brief(brief), write_command(command), streams, {0, 1, 2}};
}

Result<void> check_streams(const Streams& streams, const ProbeReport& probe) {
  if (probe.landlock_abi > 0) return {};
  // Without Landlock a payload reopens such a file for writing through /proc/self/fd.
  for (int fd = 0; fd < 3; ++fd) {
    struct stat status {};
    const bool is_file = streams[static_cast<std::size_t>(fd)] == StreamKind::pass && ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    if (is_file) return error(ErrorCode::cannot_start, fmt::format("descriptor {} is a file, and this kernel has no Landlock to keep it from being reopened for writing", fd), "use a pipe: cat FILE | paddock run …");
  }
  return {};
}

// What the held names are now, so that the warden finds exactly these.
Result<void> record_held(Plan& plan) {
  for (const AbsentProtection& absent : plan.absent) {
    if (!absent.hold) continue;
    const auto mount = std::ranges::find_if(plan.mounts, [&](const Mount& m) { return m.kind == MountKind::bind && m.source == absent.path; });
    if (mount == plan.mounts.end()) continue;
    const Place place = open_place(absent.path);
    struct stat status {};
    if (!place.parent.valid() || ::fstatat(place.parent.get(), place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      return system_error("cannot hold the protected name " + visible(absent.path), errno);
    }
    mount->identity = {static_cast<std::uint64_t>(major(status.st_dev)) << 32 | minor(status.st_dev), status.st_ino};
  }
  return {};
}

// A payload may change the mode of a file that it was given on 0, 1 or 2, although nothing grants the file:
// neither Landlock nor a mount governs that. It is put back.
class StreamModes {
 public:
  StreamModes() {
    for (int fd = 0; fd < 3; ++fd) {
      struct stat status {};
      if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) modes_[static_cast<std::size_t>(fd)] = status.st_mode & 07777;
    }
  }

  void put_back(std::vector<std::string>& findings) const {
    for (int fd = 0; fd < 3; ++fd) {
      const auto& before = modes_[static_cast<std::size_t>(fd)];
      struct stat status {};
      if (!before || ::fstat(fd, &status) != 0 || (status.st_mode & 07777) == *before) continue;
      const bool restored = ::fchmod(fd, *before) == 0;
      findings.push_back(fmt::format("the command changed the mode of the file on descriptor {}: {}", fd, restored ? "put back" : "it could not be put back"));
    }
  }

 private:
  std::array<std::optional<mode_t>, 3> modes_;
};

}  // namespace

void set_open_files(protocol::BriefInput& brief) {
  constexpr rlim_t reserve = 64;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  brief.open_files_hard = limit.rlim_max > reserve * 2 ? limit.rlim_max - reserve : limit.rlim_max;
  brief.open_files_soft = std::min<rlim_t>(limit.rlim_cur, brief.open_files_hard);
}

std::vector<std::string> environment_values(const Plan& plan, const std::map<std::string, std::string>& host,
                                            const std::map<std::string, std::string>& given) {
  std::vector<std::string> all;
  for (const Variable& variable : plan.environment) {
    const auto& source = variable.source == ValueSource::host ? host : given;
    const auto value = source.find(variable.name);
    if (variable.source == ValueSource::literal) all.push_back(variable.name + "=" + variable.value);
    else if (value != source.end()) all.push_back(variable.name + "=" + value->second);
  }
  return all;
}

Result<std::string> empty_file_in(const std::string& state_directory) {
  std::string place = path::join(state_directory, "empty");
  struct stat status {};
  if (::lstat(place.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0) return place;
  TRY(make_private_directories(state_directory));
  TRY(write_file(place, "", 0444));
  return place;
}

Result<RunResult> run_plan(const Plan& first, const RunRequest& request) {
  const bool recovered = recover_stand_ins(request.state_directory);
  const Streams streams = TRY(look_at_streams());
  TRY(check_streams(streams, *request.probe));

  Plan plan = first;
  if (TRY(make_seeds(plan.seeds, request.host_environment)) || recovered) plan = TRY(request.make_plan());
  StandIns stand_ins = TRY(StandIns::make(plan.absent, request.state_directory));
  TRY(record_held(plan));
  TRY(stand_ins.share_with(plan));

  // From here on the plan is fixed: what is announced and run is this value.

  if (request.announce) TRY(request.announce(plan));
  LowerRequest lower;
  lower.plan = &plan;
  lower.probe = request.probe;
  lower.empty_file = TRY(empty_file_in(request.state_directory));
  const Launch launch = TRY(request.backend->lower(lower));
  StateWatch state(request.state_trees ? request.state_trees() : std::vector<StateTree>());
  const StreamModes stream_modes;
  const timespec started = wall_clock();
  StartedSandbox sandbox = TRY(start_launch(start_request(plan, launch, request, streams)));
  RunResult result;
  ForegroundRequest foreground;
  foreground.plan = &plan;
  foreground.streams = streams;
  result.exit_code = TRY(run_foreground(std::move(sandbox), foreground));

  // From here on nothing inside is alive.

  AftermathRequest after;
  after.plan = &plan;
  after.started = started;
  after.is_harness = plan.harness != "generic";
  after.state = &state;
  after.quarantine = path::join(request.state_directory, fmt::format("quarantine/{}-{}", started.tv_sec, ::getpid()));
  result.findings = look_afterwards(after).lines;
  stream_modes.put_back(result.findings);
  return result;
}

}  // namespace paddock
