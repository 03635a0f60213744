#include "base/user_namespace.h"

#include <fcntl.h>
#include <sched.h>

#include <cerrno>

#include <fmt/core.h>

#include "base/clone.h"

namespace paddock {
namespace {

int end_at_once(void*) { return 0; }

// The kernel takes a map in one write.
Result<void> write_map(pid_t pid, const char* file, const std::string& lines) {
  const Fd map(::open(fmt::format("/proc/{}/{}", pid, file).c_str(), O_WRONLY | O_CLOEXEC));
  if (!map.valid() || ::write(map.get(), lines.data(), lines.size()) < 0) return system_error(fmt::format("cannot write a user namespace's {}", file), errno);
  return {};
}

Result<Fd> open_mapped(pid_t pid, const std::string& uids, const std::string& gids) {
  TRY(write_map(pid, "uid_map", uids));
  TRY(write_map(pid, "gid_map", gids));
  Fd name_space(::open(fmt::format("/proc/{}/ns/user", pid).c_str(), O_RDONLY | O_CLOEXEC));
  if (!name_space.valid()) return system_error("cannot open a user namespace", errno);
  return name_space;
}

}  // namespace

Result<Fd> make_user_namespace(const std::string& uids, const std::string& gids) {
  // Its one process has ended when clone_step returns and is not reaped yet: that it keeps its entry in
  // /proc, and with it the namespace's maps, is all that is wanted of it.
  const ClonedProcess ended = TRY(clone_step(end_at_once, nullptr, CLONE_NEWUSER));
  Result<Fd> made = open_mapped(ended.pid, uids, gids);
  reap(ended.pid);
  return made;
}

}  // namespace paddock
