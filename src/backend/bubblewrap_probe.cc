#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

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
    Guarantee::environment_clean, Guarantee::dies_whole,       Guarantee::limit_time,     Guarantee::host_sockets_hidden,
};

constexpr int cache_format = 2;  // changes with what a probe looks at and what its result can say

// Root has not the same rights everywhere: which capabilities, in which user namespace.
std::string rights_of_root() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3]{};
  ::syscall(SYS_capget, &header, sets);
  struct stat name_space {};
  ::stat("/proc/self/ns/user", &name_space);
  return fmt::format("root {:x} {:x} {}", sets[0].effective, sets[1].effective, name_space.st_ino);
}

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
  bool kernel_root = false;  // real root stays that
};

// A trivial sandbox of the same kinds of mounts, namespaces and last steps as every real one.
Plan trivial_plan(const Wanted& wanted, bool real_root) {
  Plan plan;
  plan.network = wanted.own_network ? NetworkMode::off : NetworkMode::on;
  plan.user.uid = real_root ? 1000 : ::getuid();
  plan.user.gid = real_root ? 1000 : ::getgid();
  plan.user.real_root = real_root;
  plan.user.kernel_root = wanted.kernel_root;
  plan.required = {Guarantee::namespaces_own, Guarantee::calls_filtered};
  plan.mounts = {mount_of(MountKind::devices, "/dev", MountAccess::read_write),
                 wanted.own_processes ? mount_of(MountKind::processes, "/proc", MountAccess::read_write) : mount_of(MountKind::bind, "/proc", MountAccess::read_only),
                 mount_of(MountKind::bind, "/proc/sys", MountAccess::read_only), mount_of(MountKind::temporary, "/tmp", MountAccess::read_write),
                 mount_of(MountKind::bind, "/usr", MountAccess::read_only)};
  plan.mounts.back().seen_as = SeenAs::others;
  return plan;
}

// The same with the whole machine as its root.
Plan trivial_host_plan(const Wanted& wanted, bool real_root) {
  Plan plan = trivial_plan(wanted, real_root);
  std::erase_if(plan.mounts, [](const Mount& mount) { return mount.target == "/usr"; });
  plan.mounts.insert(plan.mounts.begin(), mount_of(MountKind::bind, "/", MountAccess::read_only));
  plan.mounts.front().seen_as = SeenAs::others;
  return plan;
}

Result<int> try_start(const ProbeRequest& request, const ProbeReport& report, const Plan& plan) {
  LowerRequest lower;
  lower.plan = &plan;
  lower.probe = &report;
  return request.run(lower, lower_bubblewrap, request.settings.probe_timeout_s);
}

struct Attempted {
  Wanted got;                // of the attempt that came up
  Result<int> landlock_abi;  // its Landlock ABI, or the failure of the last attempt
  // What was said when a part was asked for and not given.
  std::optional<Error> no_network;
  std::optional<Error> no_processes;
  std::optional<Error> no_kernel_id;
};

// Everything first, then with less, until something comes up. One that hangs once is not asked again.
Attempted attempt_as(const ProbeRequest& request, const ProbeReport& report, bool kernel_root) {
  const Wanted whole{true, true, kernel_root};
  const Wanted less[] = {{false, true, kernel_root}, {true, false, kernel_root}, {false, false, kernel_root}};
  const auto start = [&](const Wanted& wanted) { return try_start(request, report, trivial_plan(wanted, request.real_root)); };
  const std::uint64_t begun = monotonic_ms();
  Attempted attempted{whole, start(whole), {}, {}, {}};
  if (attempted.landlock_abi.ok()) return attempted;
  const Error first = attempted.landlock_abi.failure();
  for (const Wanted& wanted : less) {
    if (monotonic_ms() - begun >= request.settings.probe_timeout_s * std::uint64_t{1000}) return attempted;
    Result<int> started = start(wanted);
    if (!started.ok()) continue;
    attempted.got = wanted;
    attempted.landlock_abi = std::move(started);
    if (!wanted.own_network) attempted.no_network = first;
    if (!wanted.own_processes) attempted.no_processes = first;
    return attempted;
  }
  return attempted;
}

// Real root is to be nobody to the kernel inside; where that is refused, what holds without it is still told.
Attempted attempt(const ProbeRequest& request, const ProbeReport& report) {
  Attempted attempted = attempt_as(request, report, false);
  if (attempted.landlock_abi.ok() || !request.real_root) return attempted;
  Attempted as_root = attempt_as(request, report, true);
  if (as_root.landlock_abi.ok()) as_root.no_kernel_id = std::move(attempted.landlock_abi).failure();
  return as_root;
}

// What the host mounts while a sandbox runs arrives in it as it is, writable too (mount_namespaces(7), slave
// propagation): only Landlock's second wall keeps it from being written. True when it is newly held. One more
// sandbox is started for it: only where somebody asks.
bool try_host_world(const ProbeRequest& request, ProbeReport& report, const Wanted& got) {
  const bool is_wanted = request.wanted == nullptr || holds(*request.wanted, Guarantee::world_host);
  if (!is_wanted || holds(report.held, Guarantee::world_host)) return false;
  const auto missing = [&](std::string why, std::string fix) {
    report.missing.push_back({std::string(name_of(Guarantee::world_host)), std::move(why), std::move(fix)});
    return false;
  };
  if (report.landlock_abi < 1) return missing("this kernel has no Landlock, and without it a file system that is mounted during the run could be written", "use world = \"minimal\"");
  const Result<int> started = try_start(request, report, trivial_host_plan(got, request.real_root));
  if (started.ok()) {
    report.held.push_back(Guarantee::world_host);
    return true;
  }
  Missing why = explain_refusal(started.failure().message, read_host_settings());
  return missing(std::move(why.why), why.fix.empty() ? "use world = \"minimal\"" : std::move(why.fix));
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
  if (!got.kernel_root) report.held.push_back(Guarantee::kernel_uid_unprivileged);
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
  for (const Guarantee network : {Guarantee::network_local, Guarantee::network_allow, Guarantee::network_ask, Guarantee::network_open}) {
    missing(network, "bubblewrap shares the host's network or gives none: nothing between", "use --net off or --net on");
  }
}

void note_lost(ProbeReport& report, const Attempted& attempted) {
  const auto note = [&](Guarantee guarantee, const std::optional<Error>& said, std::string_view instead) {
    if (!said) return;
    Missing why = explain_refusal(said->message, read_host_settings());
    std::string fix = !said->hint.empty() ? said->hint : std::string(instead);
    if (!why.fix.empty()) fix = fix.empty() ? why.fix : why.fix + "; or " + fix;
    report.missing.push_back({std::string(name_of(guarantee)), std::move(why.why), std::move(fix)});
  };
  note(Guarantee::network_none, attempted.no_network, {});
  note(Guarantee::processes_hidden, attempted.no_processes, "give up that one part by name: --without processes_hidden");
  note(Guarantee::kernel_uid_unprivileged, attempted.no_kernel_id, "start as an ordinary user, or let the payload be root to the kernel: --without kernel_uid_unprivileged");
}

// What an available one came up with.
Wanted got_of(const ProbeReport& report) {
  return {holds(report.held, Guarantee::network_none), holds(report.held, Guarantee::processes_hidden), !holds(report.held, Guarantee::kernel_uid_unprivileged)};
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
  note_lost(report, attempted);
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
  return fmt::format("{} | {} | {} {} | {}", cache_format, kernel_and_place(), ::getuid(), request.real_root ? rights_of_root() : "", key_of_program(request.warden));
}

// The result of an earlier start: of the first program that has one, after the same others.
std::optional<ProbeReport> known_report(const ProbeRequest& request, BubblewrapPrograms& programs) {
  std::string key = key_of_machine(request);
  for (std::size_t i = 0; const BubblewrapProgram* program = programs.at(i); ++i) {
    key += " | " + program->key;
    if (!program->refusal.empty()) continue;
    const ProbeCache cache(request.cache_directory, "bubblewrap", key);
    if (auto known = cache.load()) {
      take(*known, *program);
      if (try_host_world(request, *known, got_of(*known))) cache.store(*known);
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
      const bool is_kept = is_whole(report) && settled;
      try_host_world(request, report, got_of(report));
      if (is_kept) ProbeCache(request.cache_directory, "bubblewrap", key).store(report);
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
