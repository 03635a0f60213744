#include <algorithm>
#include <array>

#include "policy/sandbox_flags.h"

namespace paddock {

template <>
std::span<const Word<SandboxType>> words_of<SandboxType>() {
  static constexpr Word<SandboxType> words[] = {
      {SandboxType::automatic, "auto"},    {SandboxType::bubblewrap, "bubblewrap"}, {SandboxType::native, "native"},
      {SandboxType::landlock, "landlock"}, {SandboxType::docker, "docker"},         {SandboxType::podman, "podman"}};
  return words;
}

namespace {

constexpr std::string_view profile_aliases[] = {"--profile"};
constexpr std::string_view net_aliases[] = {"--net"};

constexpr std::string_view choice = "Sandbox";
constexpr std::string_view files = "Files";
constexpr std::string_view environment = "Environment and credentials";
constexpr std::string_view limits = "Limits";

constexpr auto once = FlagRepeat::once;
constexpr auto many = FlagRepeat::many;
constexpr auto none = FlagValue::none;
constexpr auto required = FlagValue::required;

constexpr std::array<SandboxFlagRow, 21> rows = {{
    {SandboxFlag::sandbox, "--sandbox", {}, FlagValue::optional, once, "TYPE", choice,
     "run in a sandbox; without TYPE: bubblewrap. This is what happens anyway, with the type chosen for you"},
    {SandboxFlag::no_sandbox, "--no-sandbox", {}, none, once, "", choice,
     "run without any protection; no other flag of these groups goes with it"},
    {SandboxFlag::type, "--sandbox-type", {}, required, once, "TYPE", choice,
     "auto, bubblewrap, native, landlock, docker or podman"},
    {SandboxFlag::profile, "--sandbox-profile", profile_aliases, required, once, "NAME", choice,
     "strict, balanced (the default), dev, or one of your own"},
    {SandboxFlag::workspace, "--sandbox-workspace", {}, required, once, "PATH", choice,
     "the project directory; without it the enclosing repository, else the current directory"},
    {SandboxFlag::net, "--sandbox-net", net_aliases, required, once, "MODE", choice,
     "off, local, allow, ask, open or on"},
    {SandboxFlag::without, "--without", {}, required, many, "GUARANTEE", choice,
     "give up one guarantee by name; paddock explain lists them"},
    {SandboxFlag::permissions, "--permissions", {}, required, once, "skip|ask", choice,
     "skip (the default) or keep the harness's own permission checks"},
    {SandboxFlag::fs, "--fs", {}, required, once, "rw|ro|cow", files,
     "the project writable, read-only, or with writes kept aside for review"},
    {SandboxFlag::ro, "--ro", {}, required, many, "PATH", files,
     "also show PATH, read-only; \"PATH?\" if it may be absent"},
    {SandboxFlag::rw, "--rw", {}, required, many, "PATH", files,
     "also show PATH, writable; \"PATH?\" if it may be absent"},
    {SandboxFlag::mask, "--mask", {}, required, many, "PATTERN", files, "hide what matches, wherever it is visible"},
    {SandboxFlag::protect, "--protect", {}, required, many, "PATTERN", files,
     "never writable, even in a writable tree; \"!NAME\" takes NAME out of the built-in list"},
    {SandboxFlag::env, "--env", {}, required, many, "NAME[=VALUE]", environment,
     "pass a variable from here, or set it (others can see VALUE in the process list)"},
    {SandboxFlag::env_file, "--env-file", {}, required, many, "FILE", environment, "variables from lines NAME=value"},
    {SandboxFlag::credentials, "--credentials", {}, required, once, "MODE", environment,
     "none, minimal, login, private or shared: how much of the harness's own state and sign-in it gets"},
    {SandboxFlag::ssh_agent, "--ssh-agent", {}, none, once, "", environment,
     "let it use your ssh agent: it can then sign in as you"},
    {SandboxFlag::memory, "--memory", {}, required, once, "SIZE", limits, "such as 512M or 8G"},
    {SandboxFlag::cpus, "--cpus", {}, required, once, "NUMBER", limits, "such as 2 or 0.5"},
    {SandboxFlag::pids, "--pids", {}, required, once, "NUMBER", limits, "processes and threads at one time"},
    {SandboxFlag::timeout, "--timeout", {}, required, once, "TIME", limits,
     "such as 90s, 15m or 2h; at its end everything inside is stopped (exit 124)"},
}};

}  // namespace

std::span<const SandboxFlagRow> sandbox_flags() { return rows; }

const SandboxFlagRow* sandbox_flag_named(std::string_view spelled) {
  for (const SandboxFlagRow& row : rows) {
    if (row.name == spelled) return &row;
    if (std::find(row.aliases.begin(), row.aliases.end(), spelled) != row.aliases.end()) return &row;
  }
  return nullptr;
}

bool is_sandbox_type(std::string_view word) { return value_of<SandboxType>(word).has_value(); }

}  // namespace paddock
