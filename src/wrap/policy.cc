#include "wrap/policy.h"

namespace paddock {
namespace {

Origin said(std::string_view key) { return {OriginKind::flag, "the request's " + std::string(key)}; }

void state_scalars(const WrapRequest& request, Policy& policy) {
  const Origin built_in{OriginKind::built_in, "wrap"};
  FilesystemPolicy& files = policy.filesystem;
  files.world.state(World::host, built_in);
  files.workspace.state(request.mode == WrapMode::read_only ? WorkspaceAccess::read_only : WorkspaceAccess::read_write, said("mode"));
  files.temp.state(request.temp, request.temp_stated ? said("temp") : built_in);
  files.toolchains.state(Toolchains::command, built_in);
  files.dotfiles.state(Dotfiles::none, built_in);
  files.caches.state(Caches::none, built_in);
  policy.network.state(request.network, said("network"));
  policy.environment_base.state(EnvironmentBase::minimal, built_in);
  policy.credentials.state(CredentialMode::none, built_in);
  policy.ssh_agent.state(false, built_in);
  policy.nested.state(Nested::browser, built_in);
  policy.git.state(GitMode::protected_parts, built_in);
  policy.permissions.state(Permissions::ask, built_in);
}

void grant(const WrapRequest& request, Policy& policy) {
  if (request.mode == WrapMode::read_only) return;
  if (request.mode == WrapMode::unrestricted) {
    policy.filesystem.write.push_back({"/", {}, false, said("mode")});
    for (const char* name : {"protect_existing", "protect_absent"}) policy.without.push_back({name, said("mode")});
    return;
  }
  for (const std::string& root : request.writable_roots) policy.filesystem.write.push_back({root, {}, false, said("writable_roots")});
}

}  // namespace

Policy policy_of(const WrapRequest& request, const Policy& settings) {
  Policy policy;
  state_scalars(request, policy);
  grant(request, policy);
  for (const auto& [name, value] : request.environment) policy.variables.push_back({name, value, said("environment")});
  policy.filesystem.mask = settings.filesystem.mask;
  for (const PatternRule& rule : settings.filesystem.protect) {
    if (!rule.negated) policy.filesystem.protect.push_back(rule);
  }
  policy.limits = settings.limits;
  policy.required = settings.required;
  return policy;
}

}  // namespace paddock
