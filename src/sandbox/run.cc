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

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "sandbox/aftermath.h"
#include "sandbox/brief_for_start.h"
#include "sandbox/cgroup.h"
#include "sandbox/file_pump.h"
#include "sandbox/foreground.h"
#include "sandbox/socket_relay.h"
#include "sandbox/stage.h"
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

Result<StartRequest> start_request(const Plan& plan, const Launch& launch, const RunRequest& request, const Streams& streams) {
  const protocol::BriefInput brief = TRY(brief_for_start(plan));
  protocol::CommandInput command;
  command.flags = terminal_flags(streams);
  command.argv = plan.command;
  command.environment = environment_values(plan, *request.host_environment, request.given);
  command.directory = plan.directory;
  for (const std::string& variable : command.environment) {
    if (variable.starts_with("PATH=")) command.search_path = variable.substr(5);
  }
  if (command.flags != 0) set_first_size(command);
  return StartRequest{&launch, request.warden, write_brief(brief), write_command(command), streams, {0, 1, 2}, {}, nullptr};
}

// What the held names are now, so that the warden finds exactly these.
Result<void> record_held(Plan& plan, const StandIns& stand_ins) {
  for (const AbsentProtection& absent : plan.absent) {
    if (!absent.hold) continue;
    const auto mount = std::ranges::find_if(plan.mounts, [&](const Mount& m) { return m.kind == MountKind::bind && m.source == absent.path; });
    if (mount == plan.mounts.end()) continue;
    const FileIdentity* identity = stand_ins.identity_of(absent.path);
    if (identity == nullptr) return error(ErrorCode::cannot_start, "cannot hold the protected name " + visible(absent.path));
    mount->identity = *identity;
  }
  return {};
}

// A name that another run held may have gone since the plan was made.
bool has_all_sources(const Plan& plan) {
  return std::ranges::all_of(plan.mounts, [](const Mount& mount) {
    struct stat status {};
    return mount.kind != MountKind::bind || !mount.reason.starts_with("protected: ") || ::lstat(mount.source.c_str(), &status) == 0;
  });
}

// The plan with everything that it needs on the host in place.
Result<StandIns> prepare_host(Plan& plan, bool again, const RunRequest& request) {
  constexpr int tries_max = 3;
  if (TRY(make_seeds(plan.seeds, *request.host_environment)) || again) plan = TRY(request.make_plan());
  for (int tries = 1;; ++tries) {
    StandIns stand_ins = TRY(StandIns::make(plan.absent, request.state_directory));
    TRY(record_held(plan, stand_ins));
    TRY(stand_ins.share_with(plan));
    if (tries == tries_max || has_all_sources(plan)) return stand_ins;
    stand_ins.remove();
    plan = TRY(request.make_plan());
  }
}

// On a stage the payload connects to us, and we to the agent, which answers only its own user.
std::optional<SocketRelay> relay_for_agent(Plan& plan, std::optional<Stage>& stage) {
  if (!stage || !stage->agent_listener.valid()) return std::nullopt;
  std::ranges::find(plan.mounts, plan.ssh_agent, &Mount::source)->identity = stage->agent;
  return SocketRelay(std::move(stage->agent_listener), plan.ssh_agent);
}

// What was planted since `started`, now that nothing inside is alive.
std::vector<std::string> look_back(const Plan& plan, const RunRequest& request, const timespec& started, const StateWatch& state) {
  AftermathRequest after;
  after.plan = &plan;
  after.started = started;
  after.is_harness = plan.harness != "generic";
  after.state = &state;
  after.quarantine = path::join(request.state_directory, fmt::format("quarantine/{}-{}", started.tv_sec, ::getpid()));
  return look_afterwards(after).lines;
}

Error with_findings(Error failure, const std::vector<std::string>& findings) {
  for (const std::string& finding : findings) failure.message += "\n" + finding;
  return failure;
}

}  // namespace

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

Result<RunResult> run_plan(Plan& plan, const RunRequest& request) {
  const bool recovered = recover_stand_ins(request.state_directory);
  const Streams streams = TRY(look_at_streams());
  StandIns stand_ins = TRY(prepare_host(plan, recovered, request));

  // From here on the plan is fixed: what is announced and run is this value.

  if (request.announce) TRY(request.announce(plan));
  LowerRequest lower;
  lower.plan = &plan;
  lower.probe = request.probe;
  const bool hides_files = std::ranges::find(plan.mounts, MountKind::mask_file, &Mount::kind) != plan.mounts.end();
  if (hides_files) lower.empty_file = TRY(empty_file_in(request.state_directory));
  std::optional<Stage> stage = TRY(make_stage_for(lower));
  lower.staged = sources_of(stage);
  std::optional<SocketRelay> agent = relay_for_agent(plan, stage);
  const Launch launch = TRY(request.backend->lower(lower));
  StateWatch state(request.state_trees ? request.state_trees() : std::vector<StateTree>(), request.state_directory);
  const timespec started = wall_clock();
  if (request.preflight) {
    Result<void> asked = request.preflight(plan);
    if (!asked) return with_findings(std::move(asked).failure(), look_back(plan, request, started, state));
  }
  FilePumps files = TRY(make_file_pumps(plan, streams));
  const CgroupSet cgroups = TRY(CgroupSet::create(plan.limits, plan.user.real_root));
  StartRequest start = TRY(start_request(plan, launch, request, streams));
  start.passed = files.passed;
  start.joins = cgroups.joins();
  start.stage = stage ? &*stage : nullptr;
  StartedSandbox sandbox = TRY(start_launch(start));
  stage.reset();
  for (const auto& pump : files.pumps) pump->close_theirs();
  RunResult result;
  ForegroundRequest foreground;
  foreground.plan = &plan;
  foreground.streams = streams;
  foreground.files = &files;
  foreground.agent = agent ? &*agent : nullptr;
  foreground.landlock_abi = request.probe->landlock_abi;
  const std::uint64_t begin_ms = monotonic_ms();
  result.exit_code = TRY(run_foreground(std::move(sandbox), foreground));
  const std::uint64_t limit_ms = plan.limits.wall_time_ms;
  if (limit_ms != 0 && result.exit_code == 124 && monotonic_ms() - begin_ms >= limit_ms) {
    result.findings.push_back(fmt::format("the time limit of {} s has ended the command", static_cast<double>(limit_ms) / 1000));
  }

  // From here on nothing inside is alive.

  for (std::string& line : cgroups.findings()) result.findings.push_back(std::move(line));
  for (const auto& pump : files.pumps) {
    pump->finish();
    if (pump->failure() != 0) result.findings.push_back(system_error("a file that the command was redirected to or from failed", pump->failure()).message);
  }

  const std::vector<std::string> found = look_back(plan, request, started, state);
  result.findings.insert(result.findings.end(), found.begin(), found.end());
  return result;
}

}  // namespace paddock
