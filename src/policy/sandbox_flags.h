// The sandbox flags: one table for every command that starts something, and what a command line with
// them asks for. Pure: the command line hands over the flags in their order, with the values as written.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"
#include "policy/value.h"
#include "policy/words.h"

namespace paddock {

enum class SandboxType { automatic, bubblewrap, native, landlock, docker, podman };

enum class SandboxFlag {
  sandbox, no_sandbox, type, profile, workspace, net, fs, ro, rw, mask, protect, env, env_file, credentials, ssh_agent, without,
  permissions, memory, cpus, pids, timeout,
};

enum class FlagValue {
  none,
  optional,  // only as "--flag=VALUE", or as the next word where is_sandbox_type says so
  required,
};
enum class FlagRepeat { once, many };  // once: a second, different value is an error

struct SandboxFlagRow {
  SandboxFlag flag;
  std::string_view name;                       // "--sandbox-net"
  std::span<const std::string_view> aliases;   // "--net"
  FlagValue value;
  FlagRepeat repeat;
  std::string_view value_name;                 // "MODE"
  std::string_view group;                      // heading in the help
  std::string_view help;
};

std::span<const SandboxFlagRow> sandbox_flags();
const SandboxFlagRow* sandbox_flag_named(std::string_view spelled);  // by name or alias, null if none

// "A word after --sandbox is its type only when it names one."
bool is_sandbox_type(std::string_view word);

struct FlagUse {
  std::string spelled;               // as the user wrote it: "--net"
  std::optional<std::string> value;  // of "--flag=VALUE" or "--flag VALUE"
};

enum class Confinement { unset, on, off };  // off: only ever by --no-sandbox

struct SandboxChoice {
  Confinement sandbox = Confinement::unset;  // on as soon as any sandbox flag is there
  Sourced<SandboxType> type;                 // automatic unless stated; a bare --sandbox states bubblewrap
  Sourced<std::string> profile;
  Sourced<std::string> workspace;            // as written; the current directory is its base
  Policy overlay;                            // to be merged over everything else
  std::vector<std::string> env_files;        // as written, in their order; see parse_env_file
  std::vector<std::string> warnings;         // one line each, to be shown once
};

struct SandboxFlagContext {
  std::string directory;  // absolute: the base of relative paths and patterns
  GuaranteeNames guarantees;
  std::function<Result<void>(std::string_view)> check_profile;  // empty: not checked here
};

// The whole validation: every error is a usage error that names the flags and the way out.
Result<SandboxChoice> read_sandbox_flags(const std::vector<FlagUse>& uses, const SandboxFlagContext& context);

inline constexpr std::size_t env_file_bytes_max = std::size_t{1} << 20;
inline constexpr std::size_t env_file_variables_max = 4096;

// Lines "NAME=value" (the value as it stands, quotes included, to the end of the line), "NAME" (passed
// from the host), blank ones and "# comments". Errors are usage errors with WHERE:LINE and never
// repeat a value.
Result<std::vector<VariableRule>> parse_env_file(std::string_view text, std::string_view where);

}  // namespace paddock
