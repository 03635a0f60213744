#include <fcntl.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <fmt/core.h>

#include "backend/bubblewrap.h"
#include "backend/host_hints.h"
#include "backend/probe_cache.h"
#include "base/path.h"
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

struct Program {
  std::string path;
  FileIdentity identity;
  std::string key;      // changes with the file
  std::string refusal;  // why it is not used
};

std::string key_of(const std::string& path, const struct stat& status) {
  return fmt::format("{} {} {} {} {}.{}", path, status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

// Empty when it is not there.
std::string key_of_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? key_of(path, status) : std::string();
}

Program look_at(const std::string& path) {
  Program program{path, {}, {}, {}};
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || ::access(path.c_str(), X_OK) != 0) {
    program.refusal = path + " is not an executable file";
    return program;
  }
  program.identity = {static_cast<std::uint64_t>(major(status.st_dev)) << 32 | minor(status.st_dev), status.st_ino};
  program.key = key_of(path, status);
  program.refusal = refusal_of_program(path, status);
  return program;
}

// The program named in the settings is used or refused; otherwise the first on PATH that may be used.
Program find_program(const ProbeRequest& request) {
  const std::string& named = request.settings.program;
  if (!named.empty() && named.find('/') != std::string::npos) return look_at(path::normal(named));
  const std::string name = named.empty() ? "bwrap" : named;
  Program refused{{}, {}, {}, fmt::format("{} is not installed", name)};
  for (const std::string& entry : split(request.search_path, ':')) {
    if (!path::is_absolute(entry)) continue;
    const std::string path = path::join(path::normal(entry), name);
    if (::access(path.c_str(), F_OK) != 0) continue;
    Program program = look_at(path);
    if (program.refusal.empty() || !named.empty()) return program;
    refused = program;
  }
  return refused;
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

// What a trivial sandbox is tried with, best first.
struct Attempt {
  NetworkMode network = NetworkMode::off;
  bool kernel_root = false;  // real root stays that
};

// A trivial sandbox of the same kinds of mounts and namespaces as every real one.
Plan trivial_plan(const Attempt& attempt, bool real_root) {
  Plan plan;
  plan.network = attempt.network;
  plan.user.uid = real_root ? 1000 : ::getuid();
  plan.user.gid = real_root ? 1000 : ::getgid();
  plan.user.real_root = real_root;
  plan.user.kernel_root = attempt.kernel_root;
  plan.mounts = {mount_of(MountKind::devices, "/dev", MountAccess::read_write), mount_of(MountKind::processes, "/proc", MountAccess::read_write),
                 mount_of(MountKind::bind, "/proc/sys", MountAccess::read_only), mount_of(MountKind::temporary, "/tmp", MountAccess::read_write),
                 mount_of(MountKind::bind, "/usr", MountAccess::read_only)};
  plan.mounts.back().seen_as = SeenAs::others;
  return plan;
}

// The same with the whole machine as its root.
Plan trivial_host_plan(const Attempt& attempt, bool real_root) {
  Plan plan = trivial_plan(attempt, real_root);
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

// Tries until one starts, which is `attempt` then; what failed on the way is noted as missing.
Result<int> start_at_best(const ProbeRequest& request, ProbeReport& report, Attempt& attempt) {
  Result<int> first = try_start(request, report, trivial_plan(attempt, request.real_root));
  if (first.ok()) return first;
  Missing why = explain_refusal(first.failure().message);
  attempt.network = NetworkMode::on;
  Result<int> started = try_start(request, report, trivial_plan(attempt, request.real_root));
  if (started.ok()) {
    report.missing.push_back({std::string(name_of(Guarantee::network_none)), why.why, why.fix});
    return started;
  }
  if (!request.real_root || attempt.kernel_root) return started;
  const Error& failure = started.failure();
  const Missing unprivileged = explain_refusal(failure.message);
  std::string fix = !failure.hint.empty() ? failure.hint : "start as an ordinary user, or let the payload be root to the kernel: --without kernel_uid_unprivileged";
  if (!unprivileged.fix.empty()) fix = unprivileged.fix + ", or " + fix;
  attempt = {NetworkMode::off, true};
  Result<int> as_root = start_at_best(request, report, attempt);
  if (as_root.ok()) report.missing.push_back({std::string(name_of(Guarantee::kernel_uid_unprivileged)), unprivileged.why, std::move(fix)});
  return as_root;
}

// What the host mounts while a sandbox runs arrives in it as it is, writable too (mount_namespaces(7), slave
// propagation): only Landlock's second wall keeps it from being written. True when it is newly held. One more
// sandbox is started for it: only where somebody asks.
bool try_host_world(const ProbeRequest& request, ProbeReport& report, const Attempt& attempt) {
  const bool is_wanted = request.wanted == nullptr || holds(*request.wanted, Guarantee::world_host);
  if (!is_wanted || holds(report.held, Guarantee::world_host)) return false;
  const auto missing = [&](std::string why, std::string fix) {
    report.missing.push_back({std::string(name_of(Guarantee::world_host)), std::move(why), std::move(fix)});
    return false;
  };
  if (report.landlock_abi < 1) return missing("this kernel has no Landlock, and without it a file system that is mounted during the run could be written", "use world = \"minimal\"");
  const Result<int> started = try_start(request, report, trivial_host_plan(attempt, request.real_root));
  if (started.ok()) {
    report.held.push_back(Guarantee::world_host);
    return true;
  }
  Missing why = explain_refusal(started.failure().message);
  return missing(std::move(why.why), why.fix.empty() ? "use world = \"minimal\"" : std::move(why.fix));
}

void fill_held(ProbeReport& report, const Attempt& attempt, bool real_root) {
  report.held.assign(std::begin(always_held), std::end(always_held));
  if (attempt.network == NetworkMode::off) report.held.push_back(Guarantee::network_none);
  if (report.landlock_abi >= 6) report.held.push_back(Guarantee::abstract_hidden);
  if (!attempt.kernel_root) report.held.push_back(Guarantee::kernel_uid_unprivileged);
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

}  // namespace

std::string refusal_of_program(const std::string& path, const struct stat& status) {
  if ((status.st_mode & S_ISUID) != 0) return path + " is setuid root: a fault in it would be root's; use one that is not";
  if ((status.st_mode & S_IWOTH) != 0) return path + " can be written by everybody";
  if (status.st_uid != 0 && status.st_uid != ::getuid()) return path + " belongs to another user";
  for (const std::string& directory : path::ancestors_and_self(path::parent(path))) {
    struct stat above {};
    const bool is_open = ::stat(directory.c_str(), &above) != 0 || ((above.st_mode & S_IWOTH) != 0 && (above.st_mode & S_ISVTX) == 0);
    if (is_open) return path + " lies below " + directory + ", where everybody can write";
  }
  return {};
}

ProbeReport probe_bubblewrap(const ProbeRequest& request) {
  ProbeReport report;
  const Program program = find_program(request);
  report.program = program.path;
  report.program_identity = program.identity;
  if (!program.refusal.empty()) {
    report.missing.push_back({"start", program.refusal, program.path.empty() ? install_hint("bubblewrap") : "name another in [backends.bubblewrap] program"});
    return report;
  }
  const std::string key = fmt::format("{} | {} | {} | {} {} | {}", cache_format, program.key, kernel_and_boot(), ::getuid(), request.real_root ? rights_of_root() : "", key_of_file(request.warden));
  const ProbeCache cache(request.cache_directory, "bubblewrap", key);
  if (auto known = cache.load()) {
    known->program = report.program;
    known->program_identity = report.program_identity;
    if (try_host_world(request, *known, Attempt())) cache.store(*known);
    fill_missing(*known, request.limits);
    return *known;
  }

  // From here on real sandboxes are started: first with everything, then with less, then with the whole machine
  // in view.

  Attempt attempt;
  const Result<int> started = start_at_best(request, report, attempt);
  if (!started.ok()) {
    report.missing.push_back(explain_refusal(started.failure().message));
    return report;
  }
  report.available = true;
  report.version = "bubblewrap";
  report.landlock_abi = *started;
  const bool is_whole = report.missing.empty();
  fill_held(report, attempt, request.real_root);
  try_host_world(request, report, attempt);
  if (is_whole) cache.store(report);
  fill_missing(report, request.limits);
  return report;
}

}  // namespace paddock
