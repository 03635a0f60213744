#include "base/text.h"
#include "cli/completion.h"
#include "cli/offers.h"

namespace paddock {
namespace {

constexpr std::string_view head = R"bash(# bash completion for paddock; made by: paddock completion bash

# The first word of each line of a listing.
_paddock_list() {
  local name rest
  command paddock "$@" 2>/dev/null | while read -r name rest; do
    [[ $name =~ ^[[:alnum:]._+@-]+$ ]] && printf '%s\n' "$name"
  done
}

# Of the words given, those that begin with what was typed. (compgen -W would expand them.)
_paddock_words() {
  local word
  for word in "$@"; do
    [[ $word == "$cur"* ]] && COMPREPLY+=("$prefix$word")
  done
}

_paddock_found() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$prefix$word"); done < <(compgen "$1" -- "$cur")
}

_paddock_kind() {
  case $1 in
    files | directories) paths=$1 ;;
    profiles) _paddock_words $(_paddock_list profile list) ;;
    harnesses) _paddock_words $(_paddock_list harness list) ;;
    programs)
      _paddock_words $(_paddock_list harness list)
      _paddock_found -c
      ;;
    variables) _paddock_found -e ;;
  esac
}

# The command that runs inside, which begins at word $1: its own completion, by bash-completion where that is.
_paddock_payload() {
  if (($1 == COMP_CWORD)); then
    _paddock_kind programs
  elif declare -F _command_offset >/dev/null; then
    _command_offset "$1"
  else
    paths=files
  fi
}

)bash";

constexpr std::string_view tail = R"bash(
_paddock() {
  # "--net=off" comes as three words where "=" breaks words: together again, with where each began.
  local words=() starts=() i word
  for ((i = 0; i <= COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if ((i > 1)) && [[ ($word == "=" && ${words[-1]} == --*) || (${COMP_WORDS[i - 1]} == "=" && ${words[-1]} == --*=) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
      starts+=("$i")
    fi
  done
  local last=$((${#words[@]} - 1)) command=${words[1]-} first= flag= payload= paths= prefix= at
  local cur=${words[last]}
  COMPREPLY=()

  # What stands before the cursor: options and their values, the command's own words, the start of a payload.
  for ((at = 2; at < last; ++at)); do
    word=${words[at]}
    if [[ -n $flag ]]; then
      flag=
    elif [[ $word == -- ]]; then
      payload=$((at + 1))
      break
    elif [[ $word == -?* ]]; then
      _paddock_takes "$command" "$word" "${words[at + 1]}" && flag=$word
    elif _paddock_is_starter "$command"; then
      payload=$at
      break
    elif [[ -z $first ]]; then
      first=$word
    fi
  done

  if ((last == 1)); then
    _paddock_commands
  elif [[ -n $payload ]]; then
    _paddock_is_starter "$command" && _paddock_payload "${starts[payload]}"
  elif [[ -n $flag ]]; then
    _paddock_value "$command" "$flag"
  elif [[ $cur == --*=* ]]; then
    flag=${cur%%=*}
    cur=${cur#*=}
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=$flag=
    _paddock_value "$command" "$flag"
  elif [[ $cur == -* ]]; then
    _paddock_words $(_paddock_flags "$command")
  else
    _paddock_is_optional "$command" "${words[last - 1]}" && _paddock_value "$command" "${words[last - 1]}"
    _paddock_is_starter "$command" && _paddock_kind programs
    _paddock_own "$command" "$first"
  fi
  # Files are the shell's own answer to an empty list.
  case $paths in
    '') compopt +o default +o bashdefault 2>/dev/null ;;
    directories) compopt +o default +o bashdefault -o dirnames 2>/dev/null ;;
  esac
  return 0
}

complete -o bashdefault -o default -F _paddock paddock
)bash";

using Options = std::vector<OfferedOption>;

std::string_view name_of(OfferKind kind) {
  switch (kind) {
    case OfferKind::files: return "files";
    case OfferKind::directories: return "directories";
    case OfferKind::profiles: return "profiles";
    case OfferKind::harnesses: return "harnesses";
    case OfferKind::programs: return "programs";
    case OfferKind::variables: return "variables";
    case OfferKind::nothing: break;
  }
  return {};
}

std::string action_of(const Offer& offer) {
  std::string action;
  if (!offer.words.empty()) action += "_paddock_words " + join(offer.words, " ") + "; ";
  if (offer.kind != OfferKind::nothing) action.append("_paddock_kind ").append(name_of(offer.kind)).append("; ");
  return action;
}

std::string function(std::string_view name, const std::string& body) { return std::string(name) + "() {\n" + body + "}\n"; }

std::string branch(const std::vector<std::string>& patterns, const std::string& action) {
  return patterns.empty() ? std::string() : "    " + join(patterns, " | ") + ") " + action + ";;\n";
}

std::vector<std::string> patterns_of(const OfferedOption& option, std::string_view after) {
  std::vector<std::string> patterns;
  for (const std::string& name : option.names) patterns.push_back("\"" + name + std::string(after) + "\"");
  return patterns;
}

// The options that are a command's own, or those that all sandboxed commands share.
enum class Part { own, shared };
Options part_of(const CommandRow& command, Part part) {
  Options options = offered_options(command);
  std::erase_if(options, [&](const OfferedOption& option) { return option.group.empty() != (part == Part::own); });
  return options;
}

std::string names_of(const Options& options) {
  std::vector<std::string> names;
  for (const OfferedOption& option : options) names.insert(names.end(), option.names.begin(), option.names.end());
  return join(names, " ");
}

std::string flags_branches(const Options& options) { return options.empty() ? std::string() : "echo " + names_of(options) + "\n"; }

// "FLAG NEXT" where NEXT is the flag's value.
std::string takes_branches(const Options& options) {
  std::string text;
  for (const OfferedOption& option : options) {
    if (option.value == FlagValue::required) {
      std::vector<std::string> patterns;
      for (const std::string& name : option.names) patterns.push_back("\"" + name + " \"*");
      text += branch(patterns, "return 0 ");
    }
    for (const std::string& word : option.offer.words) {
      if (option.value == FlagValue::optional) text += branch(patterns_of(option, " " + word), "return 0 ");
    }
  }
  return text;
}

std::string optional_branches(const Options& options) {
  std::string text;
  for (const OfferedOption& option : options) {
    if (option.value == FlagValue::optional) text += branch(patterns_of(option, {}), "return 0 ");
  }
  return text;
}

std::string value_branches(const Options& options) {
  std::string text;
  for (const OfferedOption& option : options) {
    const std::string action = action_of(option.offer);
    if (!action.empty()) text += branch(patterns_of(option, {}), action);
  }
  return text;
}

// A function COMMAND WORD… that looks at its second word by the branches of that command, then by those that
// all sandboxed commands share.
std::string by_command(std::string_view name, std::string_view word, std::string (*branches)(const Options&)) {
  std::string body;
  Options shared;
  const auto switched = [&](const std::string& inside) { return "  case " + std::string(word) + " in\n" + inside + "  esac\n"; };
  std::string own;
  for (const CommandRow& command : commands()) {
    if (command.takes_sandbox_flags) shared = part_of(command, Part::shared);
    const std::string inside = branches(part_of(command, Part::own));
    if (inside.empty()) continue;
    own += "    " + std::string(command.name) + ")\n" + (inside.starts_with("echo") ? "      " + inside : switched(inside)) + "    ;;\n";
  }
  if (!own.empty()) body += "  case $1 in\n" + own + "  esac\n";
  const std::string inside = branches(shared);
  body += "  _paddock_is_sandboxed \"$1\" || return 1\n" + (inside.starts_with("echo") ? "  " + inside : switched(inside) + "  return 1\n");
  return function(name, body);
}

std::string is_one_of(std::string_view name, bool (*holds)(const CommandRow&)) {
  std::vector<std::string> names;
  for (const CommandRow& command : commands()) {
    if (holds(command)) names.emplace_back(command.name);
  }
  return function(name, "  case $1 in\n" + branch(names, "return 0 ") + "  esac\n  return 1\n");
}

std::string command_names() {
  std::string names;
  for (const CommandRow& command : commands()) names.append(" ").append(command.name);
  return function("_paddock_commands", "  _paddock_words" + names + " --help --version\n");
}

std::string own_words() {
  std::string body;
  for (const CommandRow& command : commands()) {
    for (const OfferedWords& words : offered_words(command)) {
      const std::string action = action_of(words.offer);
      if (!action.empty()) body += branch({"\"" + std::string(command.name) + " " + words.after + "\""}, action);
    }
  }
  return function("_paddock_own", "  case \"$1 $2\" in\n" + body + "  esac\n");
}

}  // namespace

std::string bash_completion() {
  std::string text(head);
  text += command_names();
  text += is_one_of("_paddock_is_starter", [](const CommandRow& command) { return command.rest == Rest::command; });
  text += is_one_of("_paddock_is_sandboxed", [](const CommandRow& command) { return command.takes_sandbox_flags; });
  text += by_command("_paddock_flags", {}, flags_branches);
  text += by_command("_paddock_takes", "\"$2 ${3-}\"", takes_branches);
  text += by_command("_paddock_is_optional", "$2", optional_branches);
  text += by_command("_paddock_value", "$2", value_branches);
  text += own_words();
  return text.append(tail);
}

}  // namespace paddock
