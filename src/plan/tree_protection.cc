#include "plan/tree_protection.h"

#include "base/path.h"

namespace paddock {
namespace {

// The project's own programs may be on PATH too (an environment that was entered): that is told of instead.
void protect_programs(Protector& protector, const std::string& tree, const std::vector<std::string>& programs, const Origin& origin) {
  for (const std::string& directory : programs) {
    if (directory == tree || !path::is_within(directory, tree)) continue;
    protector.protect({tree, directory, "PATH: " + path::relative(directory, tree), true, WhenAbsent::check, {}, false, true, origin});
  }
}

void protect_tree(Protector& protector, const HostView& host, const GrantedPath& grant, const TreeProtectionInput& input) {
  if (grant.access != MountAccess::read_write || grant.kind != FileKind::directory) return;
  const Origin origin{OriginKind::built_in, "built in: protected list"};
  host.expect_many(grant.path);
  for (const ProtectedName& name : protected_in_trees()) {
    protector.protect({grant.path, path::join(grant.path, name.path), std::string(name.path), name.is_directory, name.when_absent, std::string(name.content), true, true, origin});
  }
  const std::string home = host.real_path(input.home).value_or(input.home);
  for (const ProtectedName& name : protected_in_home()) {
    const std::string place = path::join(home, name.path);
    if (path::is_within(place, grant.path)) protector.protect({grant.path, place, std::string(name.path), name.is_directory, name.when_absent, {}, true, true, origin});
  }
  const bool is_project = grant.path == input.workspace && !path::is_within(home, grant.path);
  if (!is_project) protect_programs(protector, grant.path, input.programs, origin);
  if (grant.path == input.workspace) return;
  // A granted tree may be a repository of its own.
  GitViewInput other = input.git;
  other.layout = host.git_layout(grant.path);
  if (other.layout.root == grant.path && other.layout.kind != GitKind::none) protect_git(protector, host, other);
}

}  // namespace

void protect_trees_of(Protector& protector, const HostView& host, const TreeProtectionInput& input) {
  for (const GrantedPath& grant : input.granted) protect_tree(protector, host, grant, input);
}

}  // namespace paddock
