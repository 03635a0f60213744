#include <unistd.h>

#include <algorithm>

#include <fmt/core.h>

#include "backend/bubblewrap.h"
#include "backend/bubblewrap_program.h"
#include "backend/host_hints.h"
#include "backend/probe_cache.h"
#include "base/ask_program.h"
#include "base/clock.h"
#include "base/text.h"

namespace paddock {
namespace {

constexpr Guarantee always_held[] = {
    Guarantee::namespaces_own,  Guarantee::files_hidden,      Guarantee::masks_hidden,   Guarantee::protect_existing, Guarantee::protect_absent,
    Guarantee::workspace_read_only, Guarantee::privileges_none, Guarantee::calls_filtered, Guarantee::kernel_tunables,  Guarantee::terminal_own,
    Guarantee::environment_clean, Guarantee::dies_whole,       Guarantee::limit_time,
};

Mount mount_of(MountKind kind, std::string target, MountAccess access) {
  Mount mount;
  mount.kind = kind;
  mount.source = target;
  mount.target = std::move(target);
  mount.access = access;
  mount.bytes_max = 1 << 20;
  return mount;
}

// What one attempt asks for beyond what every sandbox needs.
struct Wanted {
  bool own_network = true;
  bool own_processes = true;
};

// A trivial sandbox of the same kinds of mounts, namespaces and last steps as every real one.
Plan trivial_plan(const Wanted& wanted, bool real_root) {
  Plan plan;
  plan.network = wanted.own_network ? NetworkMode::off : NetworkMode::on;
  plan.user.uid = real_root ? 1000 : ::getuid();
  plan.user.gid = real_root ? 1000 : ::getgid();
  plan.required = {Guarantee::namespaces_own, Guarantee::calls_filtered};
  plan.mounts = {mount_of(MountKind::devices, "/dev", MountAccess::read_write),
                 wanted.own_processes ? mount_of(MountKind::processes, "/proc", MountAccess::read_write) : mount_of(MountKind::bind, "/proc", MountAccess::read_only),
                 mount_of(MountKind::bind, "/proc/sys", MountAccess::read_only), mount_of(MountKind::temporary, "/tmp", MountAccess::read_write),
                 mount_of(MountKind::bind, "/usr", MountAccess::read_only)};
  return plan;
}

Result<int> try_start(const ProbeRequest& request, const ProbeReport& report, const Wanted& wanted) {
  const Plan plan = trivial_plan(wanted, request.real_root);
  LowerRequest lower;
  lower.plan = &plan;
  lower.probe = &report;
  const Launch launch = TRY(lower_bubblewrap(lower));
  return request.run(plan, launch, request.settings.probe_timeout_s);
}

struct Attempted {
  Wanted got;              // of the attempt that came up
  Result<int> landlock_abi;  // its Landlock ABI, or the failure of the last attempt
  std::string no_network;    // what was said when an own network was asked for and not given
  std::string no_processes;  // the same of an own /proc
};

// Everything first, then with less, until something comes up. One that hangs once is not asked again.
Attempted attempt(const ProbeRequest& request, const ProbeReport& report) {
  constexpr Wanted less[] = {{false, true}, {true, false}, {false, false}};
  const std::uint64_t begun = monotonic_ms();
  Attempted attempted{{}, try_start(request, report, {}), {}, {}};
  if (attempted.landlock_abi.ok()) return attempted;
  const std::string first = attempted.landlock_abi.failure().message;
  for (const Wanted& wanted : less) {
    if (monotonic_ms() - begun >= request.settings.probe_timeout_s * std::uint64_t{1000}) return attempted;
    Result<int> started = try_start(request, report, wanted);
    if (!started.ok()) continue;
    attempted = {wanted, std::move(started), wanted.own_network ? "" : first, wanted.own_processes ? "" : first};
    return attempted;
  }
  return attempted;
}

// "bubblewrap 0.8.0"
std::string ask_version(const std::string& program, unsigned probe_timeout_s) {
  AskRequest request;
  request.program = program;
  request.arguments = {"--version"};
  request.timeout_ms = std::min(probe_timeout_s, 2u) * 1000;
  const Result<Asked> asked = ask_program(request);
  if (!asked || asked->status != 0) return {};
  constexpr std::string_view before = "bubblewrap ";
  constexpr std::size_t version_bytes_max = 64;
  const std::string_view said = trim(asked->said);
  return said.starts_with(before) ? visible(said.substr(before.size(), version_bytes_max)) : std::string();
}

void fill_held(ProbeReport& report, const Wanted& got, bool real_root) {
  report.held.assign(std::begin(always_held), std::end(always_held));
  if (got.own_network) report.held.push_back(Guarantee::network_none);
  if (got.own_processes) report.held.push_back(Guarantee::processes_hidden);
  if (report.landlock_abi >= 6) report.held.push_back(Guarantee::abstract_hidden);
  if (!real_root) report.held.push_back(Guarantee::limit_processes);
}

// What depends on the machine's control groups is not cached: they change without the kernel or the program.
void fill_limits(ProbeReport& report, const LimitSupport& limits) {
  for (const Guarantee guarantee : limits.held) {
    if (!holds(report.held, guarantee)) report.held.push_back(guarantee);
  }
  if (limits.why.empty()) return;
  for (const Guarantee guarantee : {Guarantee::limit_processes, Guarantee::limit_memory, Guarantee::limit_cpu}) {
    if (!holds(report.held, guarantee)) report.missing.push_back({std::string(name_of(guarantee)), limits.why, limits.fix});
  }
}

void fill_missing(ProbeReport& report, const LimitSupport& limits) {
  fill_limits(report, limits);
  const auto missing = [&](Guarantee guarantee, std::string why, std::string fix) {
    if (!holds(report.held, guarantee)) report.missing.push_back({std::string(name_of(guarantee)), std::move(why), std::move(fix)});
  };
  missing(Guarantee::abstract_hidden, fmt::format("this kernel's Landlock (ABI {}) cannot close abstract sockets; ABI 6 can", report.landlock_abi), "use --net off");
  missing(Guarantee::workspace_copy, "copy-on-write workspaces are not part of this version", "use --fs rw or --fs ro");
  missing(Guarantee::world_host, "world = \"host\" is not part of this version", "use world = \"minimal\"");
  for (const Guarantee network : {Guarantee::network_local, Guarantee::network_allow, Guarantee::network_ask, Guarantee::network_open}) {
    missing(network, "bubblewrap shares the host's network or gives none: nothing between", "use --net off or --net on");
  }
}

// Real sandboxes are started.
void start_some(const ProbeRequest& request, ProbeReport& report) {
  const Attempted attempted = attempt(request, report);
  if (!attempted.landlock_abi.ok()) {
    report.missing.push_back(explain_refusal(attempted.landlock_abi.failure().message, read_host_settings()));
    return;
  }
  report.available = true;
  report.version = ask_version(report.program, request.settings.probe_timeout_s);
  report.landlock_abi = *attempted.landlock_abi;
  fill_held(report, attempted.got, request.real_root);
  for (const auto& [guarantee, said] : {std::pair{Guarantee::network_none, attempted.no_network}, std::pair{Guarantee::processes_hidden, attempted.no_processes}}) {
    if (said.empty()) continue;
    Missing why = explain_refusal(said, read_host_settings());
    if (guarantee == Guarantee::processes_hidden) why.fix += "; or give up that one part by name: --without processes_hidden";
    report.missing.push_back({std::string(name_of(guarantee)), std::move(why.why), std::move(why.fix)});
  }
}

void take(ProbeReport& report, const BubblewrapProgram& program) {
  report.program = program.path;
  report.program_identity = program.identity;
  report.program_change = program.change;
}

// Nothing is missing that another attempt could find.
bool is_whole(const ProbeReport& report) { return report.available && report.missing.empty(); }

// A clock of a file system ticks: a change within the same tick would not show. (ext4 before Linux 6.13: 10 ms.)
bool has_settled(const BubblewrapProgram& program) {
  constexpr std::int64_t settles_s = 2;
  return wall_clock().tv_sec - program.change.changed_s > settles_s;
}

// One program: its content where that is known, then a sandbox.
ProbeReport probe_program(const ProbeRequest& request, const BubblewrapProgram& program) {
  ProbeReport report;
  take(report, program);
  if (!program.refusal.empty()) {
    report.missing.push_back({"start", program.refusal, "name another in [backends.bubblewrap] program"});
    return report;
  }
  if (std::string refusal = refusal_of_content(program, request.shipped); !refusal.empty()) {
    report.warnings.push_back(refusal);
    report.missing.push_back({"start", std::move(refusal), "install Paddock anew, or name another program in [backends.bubblewrap] program"});
    return report;
  }

  // From here on the program is what it should be; every start compares what is executed with what was looked at here.

  start_some(request, report);
  return report;
}

// What the result depends on beside the programs.
std::string key_of_machine(const ProbeRequest& request) {
  return fmt::format("{} | {} {} | {}", kernel_and_place(), ::getuid(), request.real_root, key_of_program(request.warden));
}

// The result of an earlier start: of the first program that has one, after the same others.
std::optional<ProbeReport> known_report(const ProbeRequest& request, BubblewrapPrograms& programs) {
  std::string key = key_of_machine(request);
  for (std::size_t i = 0; const BubblewrapProgram* program = programs.at(i); ++i) {
    key += " | " + program->key;
    if (!program->refusal.empty()) continue;
    if (auto known = ProbeCache(request.cache_directory, "bubblewrap", key).load()) {
      take(*known, *program);
      return known;
    }
  }
  return std::nullopt;
}

void add_once(std::vector<Missing>& all, const std::vector<Missing>& more) {
  for (const Missing& one : more) {
    if (std::ranges::find(all, one.why, &Missing::why) == all.end()) all.push_back(one);
  }
}

ProbeReport probe_in_turn(const ProbeRequest& request, BubblewrapPrograms& programs) {
  std::string key = key_of_machine(request);
  ProbeReport refused;
  bool settled = true;
  for (std::size_t i = 0; const BubblewrapProgram* program = programs.at(i); ++i) {
    key += " | " + program->key;
    settled = settled && (program->path != request.shipped.path || has_settled(*program));
    ProbeReport report = probe_program(request, *program);
    refused.warnings.insert(refused.warnings.end(), report.warnings.begin(), report.warnings.end());
    if (report.available) {
      report.warnings = refused.warnings;
      if (is_whole(report) && settled) ProbeCache(request.cache_directory, "bubblewrap", key).store(report);
      return report;
    }
    if (refused.program.empty()) take(refused, *program);
    add_once(refused.missing, report.missing);
  }
  if (refused.missing.empty()) refused.missing.push_back({"start", programs.none(), install_command(this_distribution(), "bubblewrap")});
  return refused;
}

}  // namespace

ProbeReport probe_bubblewrap(const ProbeRequest& request) {
  BubblewrapPrograms programs(request);
  auto known = known_report(request, programs);
  ProbeReport report = known ? std::move(*known) : probe_in_turn(request, programs);
  if (report.available) fill_missing(report, request.limits);
  return report;
}

}  // namespace paddock
