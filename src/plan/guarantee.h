// Guarantees: the properties that a plan must hold, and that backends say they can hold. Nothing
// else decides which backend may run a plan.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace paddock {

enum class Guarantee {
  namespaces_own,     // user, pid, ipc, uts and mount namespaces of its own
  processes_hidden,   // processes outside cannot be seen
  files_hidden,       // what is not granted cannot be seen
  masks_hidden,       // masked paths cannot be read or listed
  protect_existing,   // protected paths that exist stay byte-identical
  protect_absent,     // protected names that are absent are held or found at the end
  workspace_read_only,
  workspace_copy,     // writes kept aside for review
  world_host,         // the whole host read-only
  host_sockets_hidden,  // no socket or FIFO of the host's can be reached by its path
  network_none,
  network_local,
  network_allow,
  network_ask,
  network_open,
  abstract_hidden,    // abstract sockets of the host cannot be reached
  privileges_none,    // no capability in any set, no new privileges
  kernel_uid_unprivileged,  // to the kernel the payload is never root
  calls_filtered,     // the system call filter
  kernel_tunables,    // /proc/sys, /sys and the like refuse writes
  terminal_own,       // a pty of its own; the user's terminal is out of reach
  environment_clean,  // exactly the listed variables
  dies_whole,         // nothing inside outlives the run
  limit_time,
  limit_processes,
  limit_memory,
  limit_cpu,
};

std::string_view name_of(Guarantee guarantee);      // "files_hidden"
std::string_view meaning_of(Guarantee guarantee);   // one line for a person
std::optional<Guarantee> guarantee_named(std::string_view name);
std::span<const Guarantee> all_guarantees();
// Those that a person may give up by name (--without); the others hold always.
bool can_be_given_up(Guarantee guarantee);

using Guarantees = std::vector<Guarantee>;
bool holds(const Guarantees& held, Guarantee wanted);

}  // namespace paddock
