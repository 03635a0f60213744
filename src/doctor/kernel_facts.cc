#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>

#include "base/file.h"
#include "base/namespace_trial.h"
#include "base/text.h"
#include "doctor/gather.h"

namespace paddock::doctor {
namespace {

constexpr long mount_setattr_number = 442;  // the same on every architecture (5.12)

bool has_action(unsigned action) { return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0u, &action) == 0; }

// A line "nodev\toverlay" of proc(5), /proc/filesystems.
bool knows_file_system(std::string_view name) {
  const auto text = read_file_if_any("/proc/filesystems", 65536);
  if (!text || !*text) return false;
  for (const std::string& line : split(**text, '\n')) {
    if (trim(line.substr(line.find('\t') + 1)) == name) return true;
  }
  return false;
}

}  // namespace

KernelFacts kernel_facts() {
  KernelFacts facts;
  utsname names{};
  ::uname(&names);
  facts.release = names.release;
  const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0ul, LANDLOCK_CREATE_RULESET_VERSION);
  facts.landlock_error = abi < 0 ? errno : 0;
  facts.landlock_abi = abi < 0 ? 0 : static_cast<int>(abi);
  facts.has_seccomp_filter = has_action(SECCOMP_RET_ERRNO);
  facts.has_seccomp_notify = has_action(SECCOMP_RET_USER_NOTIF);
  facts.has_overlay = knows_file_system("overlay");
  // Without a structure the call is EINVAL where it exists.
  facts.has_idmapped_mounts = ::syscall(mount_setattr_number, -1, nullptr, 0u, nullptr, 0ul) < 0 && errno != ENOSYS;
  return facts;
}

NamespaceTrials namespace_trials() {
  NamespaceTrials trials;
  trials.user = try_namespaces(CLONE_NEWUSER | CLONE_NEWUTS);
  // The limit on uts namespaces is told apart from those on user namespaces.
  const int user_alone = try_namespaces(CLONE_NEWUSER);
  if (user_alone == 0 && trials.user == ENOSPC) trials.user = 0;
  if (user_alone != 0) trials.user = user_alone;
  if (trials.user != 0) return trials;
  const std::pair<const char*, int> kinds[] = {{"cgroup", CLONE_NEWCGROUP}, {"ipc", CLONE_NEWIPC}, {"mnt", CLONE_NEWNS}, {"net", CLONE_NEWNET}, {"pid", CLONE_NEWPID}, {"uts", CLONE_NEWUTS}};
  for (const auto& [name, flag] : kinds) trials.kinds[name] = try_namespaces(CLONE_NEWUSER | flag);
  return trials;
}

}  // namespace paddock::doctor
