#include "plan/tree_protection.h"

#include "base/path.h"

namespace paddock {
namespace {

// `order` has the tree; what is the name's is filled in.
void protect_name(Protector& protector, ProtectOrder& order, std::string place, const ProtectedName& name) {
  order.path = std::move(place);
  order.name = name.path;
  order.is_directory = name.is_directory;
  order.when_absent = name.when_absent;
  order.content = name.content;
  protector.protect(order);
}

const Origin& origin_of_list() {
  static const Origin origin{OriginKind::built_in, "built in: protected list"};
  return origin;
}

void protect_names(Protector& protector, const HostView& host, const GrantedPath& grant, const std::string& home) {
  host.expect_many(grant.path);
  ProtectOrder order{grant.path, {}, {}, false, WhenAbsent::check, {}, true, true, origin_of_list()};
  for (const ProtectedName& name : protected_in_trees()) protect_name(protector, order, path::join(grant.path, name.path), name);
  if (!path::is_within(home, grant.path) && !path::is_within(grant.path, home)) return;
  for (const ProtectedName& name : protected_in_home()) {
    std::string place = path::join(home, name.path);
    if (path::is_within(place, grant.path)) protect_name(protector, order, std::move(place), name);
  }
}

// The project's own programs may be on PATH too (an environment that was entered): that is told of instead.
void protect_programs(Protector& protector, const std::string& tree, const std::vector<std::string>& programs) {
  for (const std::string& directory : programs) {
    if (directory == tree || !path::is_within(directory, tree)) continue;
    protector.protect({tree, directory, "PATH: " + path::relative(directory, tree), true, WhenAbsent::check, {}, false, true, origin_of_list()});
  }
}

void protect_tree(Protector& protector, const HostView& host, const GrantedPath& grant, const TreeProtectionInput& input) {
  if (grant.access != MountAccess::read_write || grant.kind != FileKind::directory) return;
  const std::string home = host.real_path(input.home).value_or(input.home);
  protect_names(protector, host, grant, home);
  const bool is_project = grant.path == input.workspace && !path::is_within(home, grant.path);
  if (!is_project) protect_programs(protector, grant.path, input.programs);
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
