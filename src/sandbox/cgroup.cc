#include "sandbox/cgroup.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include <fmt/core.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"

namespace paddock {
namespace {

constexpr std::string_view prefix = "paddock-";
constexpr std::uint64_t period_us = 100'000;   // the kernel's own default
constexpr std::uint64_t own_processes = 2;     // the backend's program and the warden
constexpr std::size_t control_bytes_max = 1 << 20;

std::optional<std::string> read_control(const std::string& path) {
  auto text = read_file_if_any(path, control_bytes_max);
  return text.ok() ? *text : std::nullopt;
}

Result<void> write_control(const std::string& directory, std::string_view name, const std::string& value) {
  const std::string path = path::join(directory, name);
  const Fd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd.valid() || ::write(fd.get(), value.data(), value.size()) < 0) return system_error(fmt::format("cannot write {} into {}", value, visible(path)), errno);
  return {};
}

bool exists(const std::string& directory, std::string_view name) { return ::access(path::join(directory, name).c_str(), F_OK) == 0; }

std::string leaf_of(const std::string& group) { return path::join(group, "payload"); }

// When a process began, in ticks since the boot: field 22 of /proc/PID/stat (proc(5)). Empty when it is gone.
std::string start_of(const std::string& pid) {
  const auto text = read_control("/proc/" + pid + "/stat");
  if (!text) return {};
  const std::size_t name_end = text->rfind(')');  // the name may hold anything
  if (name_end == std::string::npos) return {};
  const std::vector<std::string> fields = split(std::string_view(*text).substr(name_end + 2), ' ');
  constexpr std::size_t start_field = 22 - 3;
  return fields.size() > start_field ? fields[start_field] : std::string();
}

std::string own_name() {
  const std::string pid = std::to_string(::getpid());
  return fmt::format("{}{}-{}", prefix, pid, start_of(pid));
}

constexpr int depth_max = 64;
constexpr int groups_max = 4096;

// The groups below an open one, which a nested namespace may have made; removing one takes its control files with it.
void remove_below(Fd group, int depth, int& left) {
  DIR* open = ::fdopendir(::dup(group.get()));
  if (open == nullptr) return;
  while (const dirent* entry = ::readdir(open)) {
    const std::string_view name = entry->d_name;
    if (entry->d_type != DT_DIR || name == "." || name == ".." || --left < 0) continue;
    Fd below(::openat(group.get(), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (below.valid() && depth < depth_max) remove_below(std::move(below), depth + 1, left);
    ::unlinkat(group.get(), entry->d_name, AT_REMOVEDIR);
  }
  ::closedir(open);
}

// False, with errno, while a process is left in it.
bool remove_group(const std::string& group) {
  Fd open(::open(group.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  int left = groups_max;
  if (open.valid()) remove_below(std::move(open), 0, left);
  return ::rmdir(group.c_str()) == 0 || errno == ENOENT;
}

// Of runs that were killed. A group that still holds a process stays: the kernel refuses to remove it.
void remove_dead(const std::string& directory) {
  DIR* open = ::opendir(directory.c_str());
  if (open == nullptr) return;
  std::vector<std::string> dead;
  while (const dirent* entry = ::readdir(open)) {
    const std::string name = entry->d_name;
    if (!name.starts_with(prefix)) continue;
    const std::vector<std::string> words = split(std::string_view(name).substr(prefix.size()), '-');
    if (words.size() != 2 || !parse_unsigned(words[0]) || start_of(words[0]) == words[1]) continue;
    dead.push_back(path::join(directory, name));
  }
  ::closedir(open);
  for (const std::string& group : dead) remove_group(group);
}

Result<void> limit_memory(const CgroupPlace& place, const std::string& group, std::uint64_t bytes) {
  const std::string value = std::to_string(bytes);
  if (place.version == CgroupVersion::v2) {
    TRY(write_control(group, "memory.max", value));
    if (exists(group, "memory.swap.max")) TRY(write_control(group, "memory.swap.max", "0"));
    return {};
  }
  // Without it a group below is not counted (cgroup-v1/memory.rst, 6).
  if (exists(group, "memory.use_hierarchy")) TRY(write_control(group, "memory.use_hierarchy", "1"));
  TRY(write_control(group, "memory.limit_in_bytes", value));
  if (exists(group, "memory.memsw.limit_in_bytes")) TRY(write_control(group, "memory.memsw.limit_in_bytes", value));
  return {};
}

Result<void> limit_cpu(const CgroupPlace& place, const std::string& group, std::uint64_t milli) {
  const std::uint64_t quota_us = milli * period_us / 1000;
  if (place.version == CgroupVersion::v2) return write_control(group, "cpu.max", fmt::format("{} {}", quota_us, period_us));
  TRY(write_control(group, "cpu.cfs_period_us", std::to_string(period_us)));
  return write_control(group, "cpu.cfs_quota_us", std::to_string(quota_us));
}

Result<void> limit(const CgroupPlace& place, const std::string& group, const PlanLimits& limits) {
  for (const Controller controller : place.controllers) {
    switch (controller) {
      case Controller::memory: TRY(limit_memory(place, group, limits.memory_bytes)); break;
      case Controller::cpu: TRY(limit_cpu(place, group, limits.cpu_milli)); break;
      case Controller::pids: TRY(write_control(group, "pids.max", std::to_string(limits.processes + own_processes))); break;
    }
  }
  return {};
}

Guarantee guarantee_of(Controller controller) {
  switch (controller) {
    case Controller::memory: return Guarantee::limit_memory;
    case Controller::cpu: return Guarantee::limit_cpu;
    case Controller::pids: return Guarantee::limit_processes;
  }
  return Guarantee::limit_memory;
}

// Version 1 counts where it happened, version 2 upwards as well.
std::uint64_t events(const std::string& group, std::string_view file, std::string_view key) {
  std::uint64_t most = 0;
  for (const std::string& at : {group, leaf_of(group)}) {
    const auto text = read_control(path::join(at, file));
    if (!text) continue;
    for (const std::string& line : split(*text, '\n')) {
      if (line.size() <= key.size() || !line.starts_with(key) || line[key.size()] != ' ') continue;
      most = std::max(most, parse_unsigned(std::string_view(line).substr(key.size() + 1)).value_or(0));
    }
  }
  return most;
}

CgroupFacts facts_here(bool real_root) {
  CgroupFacts facts;
  facts.mounts = read_control("/proc/self/mountinfo").value_or("");
  facts.own = read_control("/proc/self/cgroup").value_or("");
  facts.real_root = real_root;
  facts.read = read_control;
  facts.may_write = [](const std::string& path) { return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0; };
  return facts;
}

}  // namespace

std::vector<Controller> controllers_for(const PlanLimits& limits, bool real_root) {
  std::vector<Controller> wanted;
  if (limits.memory_bytes != 0) wanted.push_back(Controller::memory);
  if (limits.cpu_milli != 0) wanted.push_back(Controller::cpu);
  if (limits.processes != 0 && real_root) wanted.push_back(Controller::pids);
  return wanted;
}

LimitSupport probe_limits(const PlanLimits& limits, bool real_root) {
  LimitSupport support;
  // One by one: that one cannot be held takes nothing from the others.
  for (const Controller controller : controllers_for(limits, real_root)) {
    PlanLimits one;
    if (controller == Controller::memory) one.memory_bytes = limits.memory_bytes;
    if (controller == Controller::cpu) one.cpu_milli = limits.cpu_milli;
    if (controller == Controller::pids) one.processes = limits.processes;
    const auto tried = CgroupSet::create(one, real_root);
    if (tried.ok()) {
      support.held.push_back(guarantee_of(controller));
    } else {
      support.why = tried.failure().message;
      support.fix = tried.failure().hint;
    }
  }
  return support;
}

Result<CgroupSet> CgroupSet::create(const PlanLimits& limits, bool real_root) {
  CgroupSet set;
  set.limits_ = limits;
  const std::vector<Controller> wanted = controllers_for(limits, real_root);
  if (wanted.empty()) return set;
  const std::string name = own_name();
  for (CgroupPlace& place : TRY(find_cgroup_places(facts_here(real_root), wanted))) {
    remove_dead(place.directory);
    for (const Controller controller : place.to_enable) TRY(write_control(place.directory, "cgroup.subtree_control", fmt::format("+{}", name_of(controller))));
    Group group{place, path::join(place.directory, name), {}};
    if (::mkdir(group.directory.c_str(), 0755) != 0) return system_error("cannot make the control group " + visible(group.directory), errno);
    set.groups_.push_back(std::move(group));
    Group& made = set.groups_.back();
    TRY(limit(place, made.directory, limits));
    if (::mkdir(leaf_of(made.directory).c_str(), 0755) != 0) return system_error("cannot make the control group " + visible(leaf_of(made.directory)), errno);
    made.join = Fd(::open(path::join(leaf_of(made.directory), "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
    if (!made.join.valid()) return system_error("cannot enter the control group " + visible(made.directory), errno);
  }
  return set;
}

std::vector<int> CgroupSet::joins() const {
  std::vector<int> all;
  for (const Group& group : groups_) all.push_back(group.join.get());
  return all;
}

std::vector<std::string> CgroupSet::findings() const {
  std::vector<std::string> lines;
  for (const Group& group : groups_) {
    for (const Controller controller : group.place.controllers) {
      if (controller == Controller::memory) {
        const std::string_view file = group.place.version == CgroupVersion::v2 ? "memory.events" : "memory.oom_control";
        if (const auto ended = events(group.directory, file, "oom_kill")) {
          lines.push_back(fmt::format("the memory limit of {} MiB was met: {} process{} ended for it", limits_.memory_bytes >> 20, ended, ended == 1 ? " was" : "es were"));
        }
      } else if (controller == Controller::pids && events(group.directory, "pids.events", "max") > 0) {
        lines.push_back(fmt::format("the limit of {} processes was met: starting more was refused", limits_.processes));
      }
    }
  }
  return lines;
}

CgroupSet::~CgroupSet() {
  constexpr int tries_max = 50;
  constexpr useconds_t pause_us = 4000;
  for (const Group& group : groups_) {
    // A process that has ended leaves its group a moment after it could be waited for.
    for (int tries = 0; tries < tries_max && !remove_group(group.directory) && errno == EBUSY; ++tries) ::usleep(pause_us);
  }
}

}  // namespace paddock
