#include "sandbox/brief_for_start.h"

#include <sys/resource.h>

#include <algorithm>

#include "backend/brief_of.h"
#include "base/own_namespaces.h"

namespace paddock {
namespace {

// Below ours by more than one message carries: the kernel lets a user have as many descriptors on their way as
// the sender may have open (unix(7), ETOOMANYREFS), and counts those of all of the user's sandboxes.
void set_open_files(protocol::BriefInput& brief) {
  constexpr rlim_t reserve_max = 4096;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  brief.open_files_hard = limit.rlim_max - std::min<rlim_t>(reserve_max, limit.rlim_max / 4);
  brief.open_files_soft = std::min<rlim_t>(limit.rlim_cur, brief.open_files_hard);
}

Result<void> set_namespaces(protocol::BriefInput& brief, const Plan& plan) {
  static_assert(own_namespace_kinds == protocol::namespace_kinds);
  const OwnNamespaces& own = own_namespaces();
  for (protocol::U32 kind = 0; kind < protocol::namespace_kinds; ++kind) {
    const bool is_wanted = kind == protocol::namespace_network ? plan.network != NetworkMode::on : holds(plan.required, Guarantee::namespaces_own);
    if (!is_wanted) continue;
    if (own.inodes[kind] == 0) return system_error(std::string("cannot tell which namespaces we are in: ") + protocol::namespace_paths[kind], own.error);
    brief.outer_namespaces[kind] = own.inodes[kind];
  }
  return {};
}

}  // namespace

Result<protocol::BriefInput> brief_for_start(const Plan& plan) {
  protocol::BriefInput brief = brief_of(plan);
  set_open_files(brief);
  TRY(set_namespaces(brief, plan));
  return brief;
}

}  // namespace paddock
