#include <algorithm>

#include "cli/command.h"

namespace paddock {
namespace {

constexpr OptionRow json_option{"--json", {}, FlagValue::none, {}, "one JSON object on stdout"};
constexpr OptionRow only_json[] = {json_option};
constexpr OptionRow explain_options[] = {
    json_option,
    {"--argv", {}, FlagValue::none, {}, "the backend's command as one shell line, everything inline"},
};
constexpr OptionRow help_options[] = {{"--man", {}, FlagValue::none, {}, "as a manual page in roff: paddock help --man run | man -l -"}};

constexpr OptionRow doctor_options[] = {
    json_option,
    {"--recheck", {}, FlagValue::none, {}, "ask everything again instead of using what is kept"},
};

constexpr CommandRow table[] = {
    {"run", "[OPTIONS] [--] HARNESS|COMMAND [ARGS…]", "run an agent or a command in a sandbox, here, once",
     "Arguments after the name go through untouched. The exit code is the command's own.", {}, true, Rest::command, run_command},
    {"shell", "[OPTIONS]", "your shell in a sandbox", {}, {}, true, Rest::words, shell_command},
    {"explain", "[OPTIONS] [-- HARNESS|COMMAND [ARGS…]]", "what the sandbox would hold, each value with its origin",
     "Nothing is started or created.", explain_options, true, Rest::command, explain_command},
    {"profile", "list | check NAME", "the profiles: shipped and your own", {}, {}, false, Rest::words, profile_command},
    {"harness", "list | show NAME | check [NAME]", "the agents that paddock knows, and what is installed of them",
     "check asks the installed program for its version and options, in a sandbox. Exit code 1: something is not as the manifest says.", only_json,
     false, Rest::words, harness_command},
    {"doctor", "[--recheck] [--json]", "whether this machine can hold sandboxes, and what to change if not",
     "Starts a trivial sandbox with each backend and changes nothing. The exit code is 1 when a required check fails: a backend that holds\n"
     "the default profile, git, a writable state directory. docs/troubleshooting.md explains each check by its name.", doctor_options, false, Rest::words, doctor_command},
    {"completion", "bash|zsh|fish", "completion for your shell, as a script",
     "bash: put eval \"$(paddock completion bash)\" in ~/.bashrc\n"
     "zsh: put eval \"$(paddock completion zsh)\" in ~/.zshrc, after compinit\n"
     "fish: paddock completion fish > ~/.config/fish/completions/paddock.fish\n"
     "\n"
     "Installed by a package or by ./paddock install it is there already.",
     {}, false, Rest::words, completion_command},
    {"help", "[COMMAND]", "this help, or that of a command", {}, help_options, false, Rest::words, help_command},
    {"version", "", "the version", {}, only_json, false, Rest::words, version_command},
};

}  // namespace

std::span<const CommandRow> commands() { return table; }

const CommandRow* command_named(std::string_view name) {
  const CommandRow* found = std::ranges::find(table, name, &CommandRow::name);
  return found == std::end(table) ? nullptr : found;
}

}  // namespace paddock
