#include "host/real_host.h"

#include <algorithm>
#include <string_view>

#include "base/path.h"
#include "host/etc_view.h"
#include "host/executable.h"
#include "host/git_config.h"
#include "host/git_layout.h"
#include "host/host_file.h"
#include "host/host_user.h"
#include "host/pattern_walk.h"

namespace paddock {

std::string RealHost::variable(const char* name) const {
  const auto found = environment_.find(name);
  return found == environment_.end() ? "" : found->second;
}

bool RealHost::is_known_absent(const std::string& path) const {
  constexpr int asked_min = 4;
  constexpr std::size_t names_max = 1000;  // a larger directory is asked name by name
  const auto slash = path.rfind('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == path.size()) return false;
  Listing& listing = listings_[path.substr(0, slash)];
  if (!listing.is_listed) {
    if (++listing.asked != asked_min) return false;
    listing.names = list_directory(path.substr(0, slash));
    // Empty may mean that it could not be read; then it is asked name by name as before.
    listing.is_listed = !listing.names.empty() && listing.names.size() <= names_max;
    if (!listing.is_listed) return false;
  }
  return !std::binary_search(listing.names.begin(), listing.names.end(), std::string_view(path).substr(slash + 1));
}

HostFile RealHost::look(const std::string& path) const {
  const auto known = looked_.find(path);
  if (known != looked_.end()) return known->second;
  if (is_known_absent(path)) return {};
  return looked_.emplace(path, look_at(path)).first->second;
}

std::optional<std::string> RealHost::real_path(const std::string& path) const {
  const auto known = resolved_.find(path);
  if (known != resolved_.end()) return known->second;
  return resolved_.emplace(path, resolve_from_parent(path)).first->second;
}

// What is known of the parent saves a call for each of its components.
std::optional<std::string> RealHost::resolve_from_parent(const std::string& path) const {
  if (path == "/") return path;
  if (path::normal(path) != path) return real_path_of(path);
  const auto parent = real_path(path::parent(path));
  if (!parent) return std::nullopt;
  const std::string place = path::join(*parent, path::name(path));
  switch (look(place).kind) {
    case FileKind::absent:
      return std::nullopt;
    case FileKind::link:
    case FileKind::unreadable:
      return real_path_of(place);
    default:
      return place;
  }
}

std::vector<std::string> RealHost::list(const std::string& directory) const { return list_directory(directory); }

Result<std::vector<std::string>> RealHost::match(const std::vector<std::string>& roots,
                                                 const std::vector<std::string>& patterns) const {
  return match_patterns(roots, patterns);
}

GitLayout RealHost::git_layout(const std::string& directory) const {
  return find_git_layout(directory, known_user().home);
}

const GitReading& RealHost::reading_for(const GitLayout& layout) const {
  if (!reading_ || reading_->first != layout.git_dir) {
    GitConfigVariables variables{.home = known_user().home,
                                 .xdg_config_home = variable("XDG_CONFIG_HOME"),
                                 .global = variable("GIT_CONFIG_GLOBAL"),
                                 .system = variable("GIT_CONFIG_SYSTEM")};
    const std::string no_system = variable("GIT_CONFIG_NOSYSTEM");
    variables.no_system = !no_system.empty() && git_boolean(no_system).value_or(false);
    reading_.emplace(layout.git_dir, read_git_identity(find_git_config_files(variables), layout, directory_));
  }
  return reading_->second;
}

GitIdentity RealHost::git_identity(const GitLayout& layout) const { return reading_for(layout).identity; }
GitFacts RealHost::git_facts(const GitLayout& layout) const { return reading_for(layout).facts; }

Executable RealHost::find_executable(const std::string& name, const std::string& search_path) const {
  return paddock::find_executable(name, search_path,
                                  {.home = known_user().home, .directory = directory_, .environment = &environment_});
}

std::vector<std::string> RealHost::toolchain_roots(const std::string& search_path) const {
  return find_toolchain_roots(search_path, known_user().home);
}

const HostUser& RealHost::known_user() const {
  if (!user_) user_ = describe_user(ask_kernel_for_user(variable("HOME"), variable("SHELL")));
  return *user_;
}

HostUser RealHost::user() const { return known_user(); }

Result<std::string> RealHost::etc_view(const EtcRequest& request) const {
  return make_etc_view(request, "/etc", state_directory_);
}

}  // namespace paddock
