// The machine itself behind HostView: looks, lists and reads, never writes, never starts a process.
// What it has found out about the user and a repository's settings it keeps for its own lifetime.
// For one thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/git_identity.h"
#include "host/known_files.h"
#include "plan/host_view.h"

namespace paddock {

class RealHost final : public HostView {
 public:
  // `environment` is the process's own (HOME, SHELL, XDG_CONFIG_HOME, GIT_CONFIG_*, PYENV_VERSION, ...) and
  // outlives this; `directory` is the current one, $PWD where that is the same place.
  RealHost(const std::map<std::string, std::string>& environment, std::string directory)
      : environment_(environment), directory_(std::move(directory)) {}

  HostFile look(const std::string& path) const override;
  std::optional<std::string> real_path(const std::string& path) const override;
  std::vector<std::string> list(const std::string& directory) const override;
  void expect_many(const std::string& directory) const override { files_.expect_many(directory); }
  Result<std::vector<std::string>> match(const std::vector<std::string>& roots,
                                         const std::vector<std::string>& patterns) const override;
  GitLayout git_layout(const std::string& directory) const override;
  GitIdentity git_identity(const GitLayout& layout) const override;
  GitFacts git_facts(const GitLayout& layout) const override;
  Executable find_executable(const std::string& name, const std::string& search_path) const override;
  std::vector<std::string> toolchain_roots(const std::string& search_path) const override;
  HostUser user() const override;
  bool answers(const std::string& socket) const override;
  std::vector<std::string> listening_sockets() const override;
  Result<std::vector<std::string>> bound_sockets() const override;
  Result<std::string> etc_view(const EtcRequest& request) const override;

  // What has been looked at is kept: one plan is made from one view. Forgotten here, for a plan that is made
  // again.
  void forget_answers() { files_ = {}; }

  // Paddock's own state directory, where etc_view() keeps what it has made.
  void keep_views_in(std::string state_directory) { state_directory_ = std::move(state_directory); }

 private:
  std::string variable(const char* name) const;
  const HostUser& known_user() const;
  const GitReading& reading_for(const GitLayout& layout) const;

  const std::map<std::string, std::string>& environment_;
  std::string directory_;
  std::string state_directory_;
  mutable KnownFiles files_;
  mutable std::optional<HostUser> user_;
  mutable std::optional<std::pair<std::string, GitReading>> reading_;  // by git_dir
};

}  // namespace paddock
