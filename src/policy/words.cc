#include "policy/words.h"

namespace paddock {

#define PADDOCK_WORDS(TYPE, ...)                    \
  template <>                                       \
  std::span<const Word<TYPE>> words_of<TYPE>() {    \
    static constexpr Word<TYPE> words[] = {__VA_ARGS__}; \
    return words;                                   \
  }

PADDOCK_WORDS(World, {World::minimal, "minimal"}, {World::host, "host"})
PADDOCK_WORDS(WorkspaceAccess, {WorkspaceAccess::read_write, "rw"}, {WorkspaceAccess::read_only, "ro"},
              {WorkspaceAccess::copy_on_write, "cow"})
PADDOCK_WORDS(Temp, {Temp::private_temp, "private"}, {Temp::host, "host"})
PADDOCK_WORDS(Toolchains, {Toolchains::command, "command"}, {Toolchains::path, "path"})
PADDOCK_WORDS(Dotfiles, {Dotfiles::none, "none"}, {Dotfiles::git, "git"}, {Dotfiles::listed, "listed"})
PADDOCK_WORDS(Caches, {Caches::none, "none"}, {Caches::harness, "harness"}, {Caches::tools, "tools"})
PADDOCK_WORDS(NetworkMode, {NetworkMode::off, "off"}, {NetworkMode::local, "local"}, {NetworkMode::allow, "allow"},
              {NetworkMode::ask, "ask"}, {NetworkMode::open, "open"}, {NetworkMode::on, "on"})
PADDOCK_WORDS(EnvironmentBase, {EnvironmentBase::minimal, "minimal"}, {EnvironmentBase::host, "host"})
PADDOCK_WORDS(CredentialMode, {CredentialMode::none, "none"}, {CredentialMode::minimal, "minimal"},
              {CredentialMode::login, "login"}, {CredentialMode::private_state, "private"},
              {CredentialMode::shared, "shared"})
PADDOCK_WORDS(Nested, {Nested::off, "off"}, {Nested::browser, "browser"}, {Nested::full, "full"})
PADDOCK_WORDS(GitMode, {GitMode::private_copy, "private"}, {GitMode::protected_parts, "protected"},
              {GitMode::real, "real"})
PADDOCK_WORDS(Permissions, {Permissions::skip, "skip"}, {Permissions::ask, "ask"})

#undef PADDOCK_WORDS

}  // namespace paddock
