// The part of every sandbox that is the same for all policies with world = "minimal": the system's
// programs and libraries, the harmless part of /etc, and empty private places; and the private places that
// every world has. Data first.
#pragma once

#include "plan/host_view.h"
#include "plan/mount_table.h"
#include "plan/plan.h"

namespace paddock {

// Sizes of the file systems in memory, shown by `explain`.
inline constexpr std::uint64_t home_bytes_max = std::uint64_t{1} << 30;
inline constexpr std::uint64_t temp_bytes_max = std::uint64_t{8} << 30;
inline constexpr std::uint64_t runtime_bytes_max = std::uint64_t{64} << 20;

// /usr, /bin, /lib, /opt as far as they exist, and /etc without its secrets; the resolver's file only
// with a network.
Result<void> claim_system(MountTable& table, const HostView& host, const PlanUser& user, NetworkMode network);

// Whose processes /proc lists: a new one the sandbox's own, the outside's all that we see. The latter is what is
// left where the machine refuses a new one; read-only, and safe only below Landlock (see unmet in
// backend/backend.cc).
enum class ProcessList { own, outside };

// Home, /tmp, /dev, /proc and the runtime directory.
void claim_private_places(MountTable& table, const HostView& host, const PlanUser& user, ProcessList processes);

// /dev, /proc and the runtime directory: the same in every world.
void claim_kernel_places(MountTable& table, const HostView& host, const PlanUser& user, ProcessList processes);

// An empty file system in memory.
void claim_temporary(MountTable& table, std::string target, std::uint64_t bytes_max, std::uint32_t mode, std::string reason);

// The links on the way from `path` to what it names, in the order in which the kernel meets them.
struct LinkChain {
  std::vector<std::pair<std::string, std::string>> links;  // path, text
  std::string end;                                         // without a link in it; may be absent
};
LinkChain walk_links(const HostView& host, const std::string& path);

// Every link on the way to `path` that is not visible yet, and its end, so that the path works inside.
// `reason` and `origin` are given to what is added.
void claim_link_chain(MountTable& table, const HostView& host, const std::string& path, const std::string& reason,
                      const Origin& origin);

// A symbolic link, file or empty directory of ours.
void claim_made(MountTable& table, MountKind kind, std::string target, std::string content_or_source, std::uint32_t mode,
                std::string reason);

}  // namespace paddock
