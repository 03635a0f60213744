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
constexpr OptionRow wrap_options[] = {{"--request", {}, FlagValue::required, "FILE", "read the request from FILE"}};
constexpr OptionRow exec_plan_options[] = {{"--marker", {}, FlagValue::required, "TEXT", "what a line about a failure of ours begins with"}};

constexpr OptionRow config_options[] = {
    json_option,
    {"--path", {}, FlagValue::none, {}, "only where the files of each tier are, or would be"},
};
constexpr OptionRow trust_options[] = {
    {"--list", {}, FlagValue::none, {}, "what is granted, and whether the file is still the same"},
    {"--revoke", {}, FlagValue::none, {}, "take back every grant of that file"},
    {"--yes", {}, FlagValue::none, {}, "grant without asking"},
    json_option,
};

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
    {"config", "[OPTIONS]", "the settings that hold here, and which line says so",
     "Also what a project's file asks in vain, and what the machine's ceiling lowers. Sandbox flags are merged in as for a run.", config_options, true,
     Rest::words, config_command},
    {"trust", "[OPTIONS] [DIRECTORY]", "grant what a project's .paddock.toml asks beyond yours",
     "Shows what the file asks and what would change, then asks you. The grant is for this content of this file: a change ends it.\n"
     "Without a grant the file can only tighten.",
     trust_options, false, Rest::words, trust_command},
    {"wrap", "[--request FILE]", "for harness authors: one command, confined",
     "Reads one JSON request on stdin and answers one JSON object on stdout; docs/wrap.md describes both.\n"
     "1: no backend holds it, or the machine's ceiling forbids it. 2: the request is wrong.", wrap_options, false, Rest::words, wrap_command},
    {"exec-plan", "[--marker TEXT] REF -- COMMAND [ARGS…]", "start what paddock wrap has stored",
     "The argument vectors of paddock wrap begin with this; nobody needs to write it.", exec_plan_options, false, Rest::command, exec_plan_command},
    {"profile", "list | show NAME | check NAME", "the profiles: shipped and your own", {}, only_json, false, Rest::words, profile_command},
    {"harness", "list | show NAME | check [NAME]", "the agents that paddock knows, and what is installed of them",
     "check asks the installed program for its version and options, in a sandbox. Exit code 1: something is not as the manifest says.", only_json,
     false, Rest::words, harness_command},
    {"doctor", "[--recheck] [--json]", "whether this machine can hold sandboxes; what to change",
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
