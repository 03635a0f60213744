// A HostView over literals, for tests of everything that only asks. It touches no disk.
//
//   LiteralHost host;
//   host.directory("/home/u/p").file("/home/u/p/.env").link("/home/u/l", "p");
//   host.set_user({.uid = 1000, .gid = 1000, .name = "u", .home = "/home/u"});
//
// Parents are directories of the same owner, made as needed. Every entry gets a device of 1 and an
// inode of its own, in the order of making, unless `put` states them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plan/host_view.h"

namespace paddock {

class LiteralHost final : public HostView {
 public:
  LiteralHost();

  LiteralHost& directory(const std::string& path, std::uint32_t owner = 1000, std::uint32_t mode = 0755);
  LiteralHost& file(const std::string& path, std::uint32_t owner = 1000, std::uint32_t mode = 0644,
                    std::uint64_t links = 1);
  LiteralHost& link(const std::string& path, const std::string& target, std::uint32_t owner = 1000);
  LiteralHost& socket(const std::string& path, std::uint32_t owner = 1000);  // bound
  LiteralHost& put(const std::string& path, HostFile file);  // exactly this, sockets and devices too
  LiteralHost& remove(const std::string& path);              // and everything below

  // What git_layout answers for this directory and every one below it without a nearer answer.
  LiteralHost& set_layout(const std::string& directory, GitLayout layout);
  LiteralHost& set_identity(GitIdentity identity);
  LiteralHost& set_facts(GitFacts facts);
  // What find_executable answers for that name, whatever the search path. Others: searched for among
  // the literals, needing the directory that they lie in.
  LiteralHost& set_executable(const std::string& name, Executable executable);
  LiteralHost& set_toolchain_roots(std::vector<std::string> roots);
  LiteralHost& set_user(HostUser user);
  // A socket of that user's at which a program listens. A relative path is only told of by listening_sockets.
  LiteralHost& listening(const std::string& path, std::uint32_t owner = 1000);

  HostFile look(const std::string& path) const override;
  std::optional<std::string> real_path(const std::string& path) const override;
  std::vector<std::string> list(const std::string& directory) const override;
  Result<std::vector<std::string>> match(const std::vector<std::string>& roots,
                                         const std::vector<std::string>& patterns) const override;
  GitLayout git_layout(const std::string& directory) const override;
  GitIdentity git_identity(const GitLayout& layout) const override;
  GitFacts git_facts(const GitLayout& layout) const override;
  Executable find_executable(const std::string& name, const std::string& search_path) const override;
  std::vector<std::string> toolchain_roots(const std::string& search_path) const override;
  HostUser user() const override;
  bool answers(const std::string& socket) const override;
  std::vector<std::string> listening_sockets() const override { return listening_; }
  Result<std::vector<std::string>> bound_sockets() const override { return sockets_; }
  Result<std::string> etc_view(const EtcRequest&) const override { return std::string("/home/u/.local/state/paddock/etc/view"); }

 private:
  HostFile& make(const std::string& path, FileKind kind, std::uint32_t owner, std::uint32_t mode);
  // The path with the links of its directories resolved, and of the last component if `follow`.
  enum class Last { followed, kept };
  std::optional<std::string> resolved(const std::string& path, Last last) const;

  std::map<std::string, HostFile> files_;
  std::map<std::string, GitLayout> layouts_;
  std::map<std::string, Executable> executables_;
  GitIdentity identity_;
  GitFacts facts_;
  std::vector<std::string> toolchain_roots_;
  HostUser user_;
  std::vector<std::string> listening_;  // sorted
  std::vector<std::string> sockets_;
  std::uint64_t next_inode_ = 1;
};

}  // namespace paddock
