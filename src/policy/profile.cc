#include "policy/profile.h"

#include <algorithm>

#include "base/text.h"
#include "policy/embedded.h"
#include "policy/toml_reader.h"

namespace paddock {

namespace {

const EmbeddedFile* shipped(std::string_view name) {
  for (const EmbeddedFile& file : embedded_profiles()) {
    if (file.name == name) return &file;
  }
  return nullptr;
}

Error usage(std::string message, std::string hint = {}) {
  return error(ErrorCode::usage, std::move(message), std::move(hint));
}

Error unknown_profile(std::string_view name, const ProfileReader& reader) {
  const std::vector<std::string> names = profile_names(reader);
  std::string message = "no profile is called \"" + visible(name) + "\"";
  if (const auto near = nearest(name, names)) message += "; did you mean \"" + *near + "\"?";
  return usage(message + " (profiles: " + join(names, ", ") + ")", "paddock profile list");
}

Result<std::optional<ProfileText>> own_text(std::string_view name, const ProfileReader& reader) {
  if (!reader.read) return std::optional<ProfileText>();
  return reader.read(std::string(name));
}

Result<PolicyFile> read_shipped(const EmbeddedFile& file) {
  const std::string name(file.name);
  return read_policy(file.content, {.where = "share/profiles/" + name + ".toml",
                                 .kind = OriginKind::profile,
                                 .base_directory = "/",
                                 .name = "profile " + name,
                                 .line = LineInOrigin::hidden});
}

}  // namespace

bool is_profile_name(std::string_view name) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  const auto any = [&](char c) { return plain(c) || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.'; };
  return !name.empty() && name.size() <= 64 && name.front() != '.' && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), any);
}

bool is_shipped_profile(std::string_view name) { return shipped(name) != nullptr; }

std::vector<std::string> profile_names(const ProfileReader& reader) {
  std::vector<std::string> names = {"strict", "balanced", "dev"};  // from closed to open
  std::vector<std::string> own = reader.names ? reader.names() : std::vector<std::string>();
  std::sort(own.begin(), own.end());
  for (std::string& name : own) {
    if (is_profile_name(name) && !is_shipped_profile(name)) names.push_back(std::move(name));
  }
  return names;
}

Result<PolicyFile> read_profile(std::string_view name, const ProfileReader& reader) {
  if (!is_profile_name(name)) return unknown_profile(name, reader);
  const std::optional<ProfileText> own = TRY(own_text(name, reader));
  const EmbeddedFile* file = shipped(name);
  if (file != nullptr && own) {
    return usage(own->where + ": the name \"" + std::string(name) + "\" is taken by a profile that comes with Paddock",
                 "rename the file, and begin it with: extends = \"" + std::string(name) + "\"");
  }
  if (file != nullptr) return read_shipped(*file);
  if (!own) return unknown_profile(name, reader);
  return read_policy(own->text, {.where = own->where,
                                 .kind = OriginKind::profile,
                                 .base_directory = own->base_directory,
                                 .name = "profile " + std::string(name)});
}

Result<Policy> load_profile(std::string_view name, const ProfileReader& reader) {
  std::vector<std::string> chain;
  std::vector<Policy> policies;  // the named one first
  Origin asked;
  std::string next(name);
  do {
    const bool again = std::find(chain.begin(), chain.end(), next) != chain.end();
    chain.push_back(next);
    if (again) return usage(asked.where + ": profiles extend one another in a circle: " + join(chain, " -> "));
    if (chain.size() > profile_chain_max) {
      return usage(asked.where + ": more than " + std::to_string(profile_chain_max) +
                   " profiles extend one another: " + join(chain, " -> "));
    }
    auto file = read_profile(next, reader);
    if (!file.ok() && asked.where.empty()) return std::move(file).failure();
    if (!file.ok()) return std::move(file).failure().context(asked.where + ", extends");
    policies.push_back(std::move(file->policy));
    asked = file->extends.origin;
    next = file->extends.value;
  } while (!next.empty());
  Policy policy = built_in_policy();
  for (auto one = policies.rbegin(); one != policies.rend(); ++one) policy = merge(std::move(policy), *one);
  return policy;
}

Policy built_in_policy() {
  const Origin origin{OriginKind::built_in, "built in"};
  Policy policy;
  policy.filesystem.world.state(World::minimal, origin);
  policy.filesystem.workspace.state(WorkspaceAccess::read_write, origin);
  policy.filesystem.temp.state(Temp::private_temp, origin);
  policy.filesystem.toolchains.state(Toolchains::command, origin);
  policy.filesystem.dotfiles.state(Dotfiles::none, origin);
  policy.filesystem.caches.state(Caches::none, origin);
  policy.network.state(NetworkMode::off, origin);
  policy.environment_base.state(EnvironmentBase::minimal, origin);
  policy.credentials.state(CredentialMode::minimal, origin);
  policy.ssh_agent.state(false, origin);
  policy.nested.state(Nested::off, origin);
  policy.git.state(GitMode::protected_parts, origin);
  policy.permissions.state(Permissions::skip, origin);
  return policy;
}

}  // namespace paddock
