#include "plan/guarantee.h"

#include <algorithm>
#include <array>

namespace paddock {
namespace {

struct Row {
  Guarantee guarantee;
  std::string_view name;
  std::string_view meaning;
  bool can_be_given_up;
};

constexpr Row rows[] = {
    {Guarantee::namespaces_own, "namespaces_own", "user, pid, ipc, uts and mount namespaces of its own", true},
    {Guarantee::processes_hidden, "processes_hidden", "processes outside cannot be seen: a /proc of its own", true},
    {Guarantee::files_hidden, "files_hidden", "files that are not granted cannot be seen", true},
    {Guarantee::masks_hidden, "masks_hidden", "masked paths cannot be read or listed", true},
    {Guarantee::protect_existing, "protect_existing", "protected paths that exist cannot be changed, moved or replaced", true},
    {Guarantee::protect_absent, "protect_absent", "protected names that are absent are held, or found and reported at the end", true},
    {Guarantee::workspace_read_only, "workspace_read_only", "the workspace cannot be written", false},
    {Guarantee::workspace_copy, "workspace_copy", "writes to the workspace are kept aside for review", false},
    {Guarantee::world_host, "world_host", "the whole host is visible read-only", false},
    {Guarantee::host_sockets_hidden, "host_sockets_hidden", "sockets and FIFOs of the host's outside granted paths cannot be reached", true},
    {Guarantee::network_none, "network_none", "no network but its own loopback", false},
    {Guarantee::network_local, "network_local", "only named loopback ports of the host", false},
    {Guarantee::network_allow, "network_allow", "only named hosts", false},
    {Guarantee::network_ask, "network_ask", "named hosts, others after asking", false},
    {Guarantee::network_open, "network_open", "public hosts only, from a namespace of its own", false},
    {Guarantee::abstract_hidden, "abstract_hidden", "abstract sockets of the host cannot be reached", true},
    {Guarantee::privileges_none, "privileges_none", "no capability in any set and no new privileges", false},
    {Guarantee::kernel_uid_unprivileged, "kernel_uid_unprivileged", "to the kernel the payload is never root, also when root started it", true},
    {Guarantee::calls_filtered, "calls_filtered", "dangerous system calls are refused", true},
    {Guarantee::kernel_tunables, "kernel_tunables", "kernel settings refuse writes, for root too", false},
    {Guarantee::terminal_own, "terminal_own", "a terminal of its own; yours is out of reach", false},
    {Guarantee::environment_clean, "environment_clean", "exactly the listed environment variables", false},
    {Guarantee::dies_whole, "dies_whole", "nothing inside outlives the run", false},
    {Guarantee::limit_time, "limit_time", "the time limit ends everything inside", false},
    {Guarantee::limit_processes, "limit_processes", "the process limit holds", false},
    {Guarantee::limit_memory, "limit_memory", "the memory limit holds for everything inside together", false},
    {Guarantee::limit_cpu, "limit_cpu", "the CPU limit holds for everything inside together", false},
};

const Row& row_of(Guarantee guarantee) {
  return *std::ranges::find(rows, guarantee, &Row::guarantee);
}

}  // namespace

std::string_view name_of(Guarantee guarantee) { return row_of(guarantee).name; }
std::string_view meaning_of(Guarantee guarantee) { return row_of(guarantee).meaning; }
bool can_be_given_up(Guarantee guarantee) { return row_of(guarantee).can_be_given_up; }

std::optional<Guarantee> guarantee_named(std::string_view name) {
  const Row* row = std::ranges::find(rows, name, &Row::name);
  if (row == std::end(rows)) return std::nullopt;
  return row->guarantee;
}

std::span<const Guarantee> all_guarantees() {
  static constexpr auto all = [] {
    std::array<Guarantee, std::size(rows)> list{};
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = rows[i].guarantee;
    return list;
  }();
  return all;
}

bool holds(const Guarantees& held, Guarantee wanted) { return std::ranges::find(held, wanted) != held.end(); }

}  // namespace paddock
