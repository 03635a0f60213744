#include "host/real_host.h"

#include "host/bound_sockets.h"
#include "host/etc_view.h"
#include "host/executable.h"
#include "host/git_config.h"
#include "host/git_layout.h"
#include "host/host_file.h"
#include "host/host_user.h"
#include "host/pattern_walk.h"
#include "host/unix_sockets.h"

namespace paddock {

std::string RealHost::variable(const char* name) const {
  const auto found = environment_.find(name);
  return found == environment_.end() ? "" : found->second;
}

HostFile RealHost::look(const std::string& path) const { return files_.look(path); }
std::optional<std::string> RealHost::real_path(const std::string& path) const { return files_.real_path(path); }
std::vector<std::string> RealHost::list(const std::string& directory) const { return list_directory(directory); }

Result<std::vector<std::string>> RealHost::match(const std::vector<std::string>& roots,
                                                 const std::vector<std::string>& patterns) const {
  return match_patterns(roots, patterns);
}

GitLayout RealHost::git_layout(const std::string& directory) const {
  return find_git_layout(directory, known_user().home, files_);
}

const GitReading& RealHost::reading_for(const GitLayout& layout) const {
  if (!reading_ || reading_->first != layout.git_dir) {
    GitConfigVariables variables{.home = known_user().home,
                                 .xdg_config_home = variable("XDG_CONFIG_HOME"),
                                 .global = variable("GIT_CONFIG_GLOBAL"),
                                 .system = variable("GIT_CONFIG_SYSTEM")};
    const std::string no_system = variable("GIT_CONFIG_NOSYSTEM");
    variables.no_system = !no_system.empty() && git_boolean(no_system).value_or(false);
    reading_.emplace(layout.git_dir, read_git_identity(find_git_config_files(variables), layout, directory_, files_));
  }
  return reading_->second;
}

GitIdentity RealHost::git_identity(const GitLayout& layout) const { return reading_for(layout).identity; }
GitFacts RealHost::git_facts(const GitLayout& layout) const { return reading_for(layout).facts; }

Executable RealHost::find_executable(const std::string& name, const std::string& search_path) const {
  return paddock::find_executable(name, search_path,
                                  {.home = known_user().home, .directory = directory_, .environment = &environment_}, files_);
}

std::vector<std::string> RealHost::toolchain_roots(const std::string& search_path) const {
  return find_toolchain_roots(search_path, known_user().home, files_);
}

const HostUser& RealHost::known_user() const {
  if (!user_) user_ = describe_user(ask_kernel_for_user(variable("HOME"), variable("SHELL")));
  return *user_;
}

HostUser RealHost::user() const { return known_user(); }
Result<std::vector<std::string>> RealHost::bound_sockets() const { return read_bound_sockets(); }

bool RealHost::answers(const std::string& socket) const { return socket_answers(socket); }
std::vector<std::string> RealHost::listening_sockets() const { return find_listening_sockets(); }

Result<std::string> RealHost::etc_view(const EtcRequest& request) const {
  return make_etc_view(request, "/etc", state_directory_, files_);
}

}  // namespace paddock
