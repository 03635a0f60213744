#include "plan/plan_summary.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"
#include "policy/words.h"

namespace paddock {
namespace {

// Places are in view that nobody granted one by one, and with them whatever is bound there later.
bool shows_host_places(const Policy& policy) { return policy.filesystem.world.value == World::host || policy.filesystem.temp.value == Temp::host; }

bool is_given_up(const Policy& policy, Guarantee guarantee) {
  return std::ranges::find(policy.without, name_of(guarantee), &NamedRule::name) != policy.without.end();
}

bool is_required(const Policy& policy, Guarantee guarantee) {
  return std::ranges::find(policy.required, name_of(guarantee), &NamedRule::name) != policy.required.end();
}

void choice(Plan& plan, std::string name, std::string_view value, const Origin& origin) { plan.choices.push_back({std::move(name), std::string(value), origin}); }

void fill_choices(Plan& plan, const Policy& policy) {
  const FilesystemPolicy& files = policy.filesystem;
  choice(plan, "world", word_of(files.world.value), files.world.origin);
  choice(plan, "workspace", word_of(files.workspace.value), files.workspace.origin);
  choice(plan, "temp", word_of(files.temp.value), files.temp.origin);
  choice(plan, "toolchains", word_of(files.toolchains.value), files.toolchains.origin);
  choice(plan, "dotfiles", word_of(files.dotfiles.value), files.dotfiles.origin);
  choice(plan, "caches", word_of(files.caches.value), files.caches.origin);
  choice(plan, "network", word_of(policy.network.value), policy.network.origin);
  choice(plan, "environment", word_of(policy.environment_base.value), policy.environment_base.origin);
  choice(plan, "credentials", word_of(policy.credentials.value), policy.credentials.origin);
  choice(plan, "nested", word_of(plan.nested), policy.nested.origin);
  choice(plan, "git", word_of(policy.git.value), policy.git.origin);
  choice(plan, "permissions", word_of(policy.permissions.value), policy.permissions.origin);
}

std::string reason_of(std::string_view given_up) {
  if (given_up == name_of(Guarantee::processes_hidden)) return "processes outside are listed in /proc, with their command lines; only Landlock closes their files, memory and environment";
  return "this guarantee was given up";
}

void fill_relaxations(Plan& plan, const Policy& policy, const std::vector<std::string>& powerful_groups) {
  const auto add = [&](bool when, std::string name, std::string reason, const Origin& origin) {
    if (when) plan.relaxations.push_back({std::move(name), std::move(reason), origin});
  };
  add(policy.network.value == NetworkMode::on, "network_on", "the host's own network is shared: everything that you can reach, it can", policy.network.origin);
  add(plan.nested == Nested::full, "nested_full", "all nested namespaces: a large kernel surface", policy.nested.origin);
  add(policy.git.value == GitMode::real, "git_real", "the repository's hooks and configuration are writable: the host's git runs them", policy.git.origin);
  add(policy.credentials.value == CredentialMode::shared, "credentials_shared", "the harness's executable settings are writable", policy.credentials.origin);
  const FilesystemPolicy& files = policy.filesystem;
  add(files.temp.value == Temp::host, "temp_host", "the host's temporary files are shared: what others left there can be read, and changed where you may", files.temp.origin);
  if (const Sourced<World>* world = &files.world; shows_host_places(policy)) {
    add(!is_given_up(policy, Guarantee::host_sockets_hidden), "without_host_sockets_hidden", "sockets of the host that come later or have no known path, and FIFOs, can be reached",
        world->value == World::host ? world->origin : files.temp.origin);
  }
  for (const NamedRule& rule : policy.without) {
    add(true, "without_" + rule.name, reason_of(rule.name), rule.origin);
    if (rule.name == name_of(Guarantee::kernel_uid_unprivileged)) add(plan.user.kernel_root, "root_files", "to the kernel the payload is root: root's files in granted trees are its own", rule.origin);
  }
  if (!powerful_groups.empty()) plan.notes.push_back("you are a member of " + join(powerful_groups, ", ") + ": a group like that cannot be left behind by an ordinary user");
}

bool is_wanted(Guarantee guarantee, const Plan& plan, const Policy& policy) {
  const NetworkMode network = policy.network.value;
  switch (guarantee) {
    case Guarantee::workspace_read_only: return plan.workspace_access == WorkspaceAccess::read_only;
    case Guarantee::workspace_copy: return plan.workspace_access == WorkspaceAccess::copy_on_write;
    case Guarantee::files_hidden: return policy.filesystem.world.value == World::minimal;
    // Whoever grants "/" itself has said otherwise.
    case Guarantee::world_host: return policy.filesystem.world.value == World::host && plan.mounts.front().access == MountAccess::read_only;
    case Guarantee::host_sockets_hidden: return !shows_host_places(policy);
    case Guarantee::network_none: return network == NetworkMode::off;
    case Guarantee::network_local: return network == NetworkMode::local;
    case Guarantee::network_allow: return network == NetworkMode::allow;
    case Guarantee::network_ask: return network == NetworkMode::ask;
    case Guarantee::network_open: return network == NetworkMode::open;
    // A network of its own hides them; with a shared one only Landlock can, and a policy may ask for that.
    case Guarantee::abstract_hidden: return network == NetworkMode::on && is_required(policy, guarantee);
    case Guarantee::limit_time: return plan.limits.wall_time_ms != 0;
    case Guarantee::limit_processes: return plan.limits.processes != 0;
    case Guarantee::limit_memory: return plan.limits.memory_bytes != 0;
    case Guarantee::limit_cpu: return plan.limits.cpu_milli != 0;
    case Guarantee::masks_hidden: return std::ranges::any_of(plan.mounts, [](const Mount& m) { return m.kind == MountKind::mask_directory || m.kind == MountKind::mask_file; });
    default: return true;
  }
}

void fill_guarantees(Plan& plan, const Policy& policy) {
  for (const Guarantee guarantee : all_guarantees()) {
    if (is_wanted(guarantee, plan, policy) && !is_given_up(policy, guarantee)) plan.required.push_back(guarantee);
  }
}

}  // namespace

Result<void> check_sockets_can_be_hidden(const Policy& policy) {
  if (!shows_host_places(policy) || !is_required(policy, Guarantee::host_sockets_hidden)) return {};
  const FilesystemPolicy& files = policy.filesystem;
  const bool is_world = files.world.value == World::host;
  const auto required = std::ranges::find(policy.required, name_of(Guarantee::host_sockets_hidden), &NamedRule::name);
  return error(ErrorCode::cannot_start,
               fmt::format("host_sockets_hidden is required ({}), and no backend holds it with {} ({}): a mask covers the sockets that are known at the start, not those that come later",
                           required->origin.where, is_world ? "world = \"host\"" : "temp = \"host\"", is_world ? files.world.origin.where : files.temp.origin.where),
               is_world ? "use world = \"minimal\"" : "use temp = \"private\"");
}

void summarise(Plan& plan, const Policy& policy, const std::vector<std::string>& powerful_groups) {
  fill_choices(plan, policy);
  fill_relaxations(plan, policy, powerful_groups);
  fill_guarantees(plan, policy);
}

}  // namespace paddock
