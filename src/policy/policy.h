// What a person allows. A policy is a plain value; every part remembers who said it. It knows
// nothing of the machine: paths stand as they were written, made absolute against their base.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace paddock {

enum class OriginKind { built_in, profile, ceiling, user_config, project_config, repository_config, flag, harness, derived };

// Who said it: "profile balanced", "~/.config/paddock/config.toml:12", "--net".
struct Origin {
  OriginKind kind = OriginKind::built_in;
  std::string where;
  friend bool operator==(const Origin&, const Origin&) = default;
};

// A scalar with its origin. `stated` is false while nobody has said anything.
template <typename T>
struct Sourced {
  T value{};
  Origin origin;
  bool stated = false;

  void state(T said, Origin by) {
    value = std::move(said);
    origin = std::move(by);
    stated = true;
  }
  friend bool operator==(const Sourced&, const Sourced&) = default;
};

enum class World { minimal, host };
enum class WorkspaceAccess { read_write, read_only, copy_on_write };
enum class Temp { private_temp, host };
enum class Toolchains { command, path };          // what is readable under home: the command's own, or all on PATH
enum class Dotfiles { none, git, listed };        // nothing, the generated git identity, and a listed set
enum class Caches { none, harness, tools };       // writable beside the harness's state
enum class NetworkMode { off, local, allow, ask, open, on };
enum class EnvironmentBase { minimal, host };
enum class CredentialMode { none, minimal, login, private_state, shared };
enum class Nested { off, browser, full };
enum class GitMode { private_copy, protected_parts, real };
enum class Permissions { skip, ask };             // the harness's own permission checks

// A path grant as it was said: absolute, "~/x", or relative to `base` (absolute). `optional`: "path?".
struct PathRule {
  std::string path;
  std::string base;
  bool optional = false;
  Origin origin;
  friend bool operator==(const PathRule&, const PathRule&) = default;
};

// A mask or protection: a path or a pattern (`*`, `?`, `[`, `**`), relative ones from `base`, where
// an empty base stands for the workspace. "!name" (negated) takes an entry of the built-in list out.
struct PatternRule {
  std::string pattern;
  std::string base;
  bool negated = false;
  Origin origin;
  friend bool operator==(const PatternRule&, const PatternRule&) = default;
};

// One variable. With a value it is set; without, it is passed from the host if it is there.
// Values never reach a plan, a log or an argument vector.
struct VariableRule {
  std::string name;
  std::optional<std::string> value;
  Origin origin;
  friend bool operator==(const VariableRule&, const VariableRule&) = default;
};

struct NamedRule {  // a guarantee, by its name
  std::string name;
  Origin origin;
  friend bool operator==(const NamedRule&, const NamedRule&) = default;
};

struct FilesystemPolicy {
  Sourced<World> world;
  Sourced<WorkspaceAccess> workspace;
  Sourced<Temp> temp;
  Sourced<Toolchains> toolchains;
  Sourced<Dotfiles> dotfiles;
  Sourced<Caches> caches;
  std::vector<PathRule> read;
  std::vector<PathRule> write;
  std::vector<PatternRule> mask;
  std::vector<PatternRule> protect;
  friend bool operator==(const FilesystemPolicy&, const FilesystemPolicy&) = default;
};

struct LimitPolicy {
  Sourced<std::uint64_t> memory_bytes;
  Sourced<std::uint64_t> cpu_milli;   // thousandths of one CPU
  Sourced<std::uint64_t> processes;
  Sourced<std::uint64_t> wall_time_ms;
  friend bool operator==(const LimitPolicy&, const LimitPolicy&) = default;
};

struct Policy {
  FilesystemPolicy filesystem;
  Sourced<NetworkMode> network;
  Sourced<EnvironmentBase> environment_base;
  std::vector<VariableRule> variables;
  LimitPolicy limits;
  Sourced<CredentialMode> credentials;
  Sourced<bool> ssh_agent;
  Sourced<Nested> nested;
  Sourced<GitMode> git;
  Sourced<Permissions> permissions;
  std::vector<NamedRule> without;   // given up
  std::vector<NamedRule> required;  // must hold even where it would only be warned about
  friend bool operator==(const Policy&, const Policy&) = default;
};

// `over` said later or with more weight: its stated scalars replace, its lists are appended.
Policy merge(Policy base, const Policy& over);

}  // namespace paddock
