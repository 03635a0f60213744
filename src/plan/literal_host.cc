#include "plan/literal_host.h"

#include <algorithm>
#include <set>

#include "base/path.h"
#include "base/text.h"

namespace paddock {

LiteralHost::LiteralHost() {
  make("/", FileKind::directory, 0, 0755);
  user_ = {.uid = 1000, .gid = 1000, .name = "u", .group = "u", .home = "/home/u", .shell = "/bin/sh",
           .powerful_groups = {}, .real_root = false};
}

HostFile& LiteralHost::make(const std::string& path, FileKind kind, std::uint32_t owner, std::uint32_t mode) {
  if (path != "/") {
    const std::string above = path::parent(path);
    if (files_.find(above) == files_.end()) make(above, FileKind::directory, owner, 0755);
  }
  const auto [at, fresh] = files_.try_emplace(path);
  HostFile& made = at->second;
  if (fresh) made.identity = {1, next_inode_++};
  made.kind = kind;
  made.owner = owner;
  made.group = owner;
  made.mode = mode;
  return made;
}

LiteralHost& LiteralHost::directory(const std::string& path, std::uint32_t owner, std::uint32_t mode) {
  make(path, FileKind::directory, owner, mode);
  return *this;
}

LiteralHost& LiteralHost::file(const std::string& path, std::uint32_t owner, std::uint32_t mode,
                               std::uint64_t links) {
  make(path, FileKind::file, owner, mode).links = links;
  return *this;
}

LiteralHost& LiteralHost::link(const std::string& path, const std::string& target, std::uint32_t owner) {
  make(path, FileKind::link, owner, 0777).link_target = target;
  return *this;
}

LiteralHost& LiteralHost::socket(const std::string& path, std::uint32_t owner) {
  make(path, FileKind::socket, owner, 0777);
  sockets_.push_back(path);
  return *this;
}

LiteralHost& LiteralHost::put(const std::string& path, HostFile file) {
  make(path, file.kind, file.owner, file.mode) = std::move(file);
  return *this;
}

LiteralHost& LiteralHost::listening(const std::string& path, std::uint32_t owner) {
  if (path::is_absolute(path)) make(path, FileKind::socket, owner, 0700);
  listening_.insert(std::ranges::upper_bound(listening_, path), path);
  return *this;
}

bool LiteralHost::answers(const std::string& socket) const { return std::ranges::binary_search(listening_, socket); }

LiteralHost& LiteralHost::remove(const std::string& path) {
  std::erase_if(files_, [&](const auto& entry) { return path::is_within(entry.first, path); });
  return *this;
}

LiteralHost& LiteralHost::set_layout(const std::string& directory, GitLayout layout) {
  layouts_[directory] = std::move(layout);
  return *this;
}

LiteralHost& LiteralHost::set_identity(GitIdentity identity) {
  identity_ = std::move(identity);
  return *this;
}

LiteralHost& LiteralHost::set_facts(GitFacts facts) {
  facts_ = std::move(facts);
  return *this;
}

LiteralHost& LiteralHost::set_executable(const std::string& name, Executable executable) {
  if (executable.program.empty()) executable.program = executable.found;
  executables_[name] = std::move(executable);
  return *this;
}

LiteralHost& LiteralHost::set_toolchain_roots(std::vector<std::string> roots) {
  toolchain_roots_ = std::move(roots);
  return *this;
}

LiteralHost& LiteralHost::set_user(HostUser user) {
  user_ = std::move(user);
  return *this;
}

std::optional<std::string> LiteralHost::resolved(const std::string& path, Last last) const {
  constexpr int links_max = 40;
  std::vector<std::string> waiting = split(path, '/');
  std::reverse(waiting.begin(), waiting.end());
  std::string at = "/";
  for (int links = 0; !waiting.empty();) {
    const std::string part = std::move(waiting.back());
    waiting.pop_back();
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      at = path::parent(at);
      continue;
    }
    const std::string next = path::join(at, part);
    const auto found = files_.find(next);
    if (found == files_.end()) return {};
    const bool kept = waiting.empty() && last == Last::kept;
    if (found->second.kind != FileKind::link || kept) {
      at = next;
      continue;
    }
    if (++links > links_max) return {};
    std::vector<std::string> parts = split(found->second.link_target, '/');
    if (path::is_absolute(found->second.link_target)) at = "/";
    waiting.insert(waiting.end(), parts.rbegin(), parts.rend());
  }
  return at;
}

HostFile LiteralHost::look(const std::string& path) const {
  const auto at = resolved(path, Last::kept);
  return at ? files_.at(*at) : HostFile{};
}

std::optional<std::string> LiteralHost::real_path(const std::string& path) const {
  return resolved(path, Last::followed);
}

std::vector<std::string> LiteralHost::list(const std::string& directory) const {
  std::vector<std::string> names;
  const auto real = real_path(directory);
  if (!real) return names;
  for (const auto& [path, file] : files_) {
    if (path != "/" && path::parent(path) == *real) names.push_back(path::name(path));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::vector<std::string>> LiteralHost::match(const std::vector<std::string>& roots,
                                                    const std::vector<std::string>& patterns) const {
  const auto in_view = [&](const std::string& path) {
    return std::any_of(roots.begin(), roots.end(),
                       [&](const std::string& root) { return path::is_within(path, root); });
  };
  const auto wanted = [&](const std::string& path) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return path_matches(pattern, path); });
  };
  std::set<std::string> found;
  for (const auto& [path, file] : files_) {
    if (!in_view(path)) continue;
    if (wanted(path)) found.insert(path);
    if (file.kind != FileKind::link) continue;
    const auto target = real_path(path);
    if (!target || !in_view(*target)) continue;
    for (const auto& [below, unused] : files_) {
      if (!path::is_within(below, *target)) continue;
      const std::string rest = path::relative(below, *target);
      if (wanted(rest.empty() ? path : path::join(path, rest))) found.insert(below);
    }
  }
  return std::vector<std::string>(found.begin(), found.end());
}

GitLayout LiteralHost::git_layout(const std::string& directory) const {
  for (std::string at = directory;; at = path::parent(at)) {
    const auto found = layouts_.find(at);
    if (found != layouts_.end()) return found->second;
    if (at == "/") return {};
  }
}

GitIdentity LiteralHost::git_identity(const GitLayout&) const { return identity_; }
GitFacts LiteralHost::git_facts(const GitLayout&) const { return facts_; }
std::vector<std::string> LiteralHost::toolchain_roots(const std::string&) const { return toolchain_roots_; }
HostUser LiteralHost::user() const { return user_; }

Executable LiteralHost::find_executable(const std::string& name, const std::string& search_path) const {
  const auto preset = executables_.find(name);
  if (preset != executables_.end()) return preset->second;
  std::vector<std::string> candidates;
  if (name.find('/') != std::string::npos) {
    candidates.push_back(name);
  } else {
    for (const std::string& entry : split(search_path, ':')) candidates.push_back(path::join(entry, name));
  }
  for (const std::string& candidate : candidates) {
    const auto real = real_path(candidate);
    if (!real || files_.at(*real).kind != FileKind::file) continue;
    Executable executable;
    executable.found = executable.program = candidate;
    executable.real = *real;
    executable.needs = {path::parent(*real)};
    if (*real != candidate) executable.chain.push_back(candidate);
    executable.chain.push_back(*real);
    return executable;
  }
  Executable absent;
  absent.problem = ExecutableProblem::not_found;
  absent.detail = name + " is not on the search path";
  return absent;
}

}  // namespace paddock
