#include <algorithm>

#include "base/text.h"
#include "cli/completion.h"
#include "cli/offers.h"

namespace paddock {
namespace {

constexpr std::string_view head = R"zsh(#compdef paddock
# zsh completion for paddock; made by: paddock completion zsh

# The first word of each line of a listing.
_paddock_list() {
  local line name
  local -a found
  for line in ${(f)"$(command paddock $@ 2>/dev/null)"}; do
    name=${line%% *}
    [[ $name =~ '^[[:alnum:]._+@-]+$' ]] && found+=($name)
  done
  compadd -a found
}
_paddock_profiles() { _paddock_list profile list }
_paddock_harnesses() { _paddock_list harness list }
_paddock_programs() { _paddock_list harness list; _command_names -e }

)zsh";

constexpr std::string_view tail = R"zsh(
_paddock() {
  local curcontext=$curcontext
  if (( CURRENT == 2 )); then
    _paddock_commands
    return
  fi
  shift words
  (( CURRENT-- ))
  # A word is the value of an option before it where it names one: together, as _arguments wants them.
  local -i at
  for (( at = 2; at + 1 < CURRENT; at++ )); do
    [[ $words[at] == -- ]] && break
    _paddock_is_value "$words[at] $words[at+1]" || continue
    words[at]="$words[at]=$words[at+1]"
    words[at+1]=()
    (( CURRENT-- ))
  done
  _paddock_arguments $words[1]
}

# Loaded by name from fpath, or by eval.
if [[ $funcstack[1] == _paddock ]]; then
  _paddock "$@"
else
  compdef _paddock paddock
fi
)zsh";

// Within single quotes, in a specification of _arguments or _describe: ":", "[", "]" and "\" have a meaning.
std::string spec_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') escaped += '\\';
    if (c == '\'') escaped += "'\\'";
    escaped += c;
  }
  return escaped;
}

std::string_view function_of(OfferKind kind) {
  switch (kind) {
    case OfferKind::files: return "_files";
    case OfferKind::directories: return "_files -/";
    case OfferKind::profiles: return "_paddock_profiles";
    case OfferKind::harnesses: return "_paddock_harnesses";
    case OfferKind::programs: return "_paddock_programs";
    case OfferKind::variables: return "_parameters -g \"*export*\"";
    case OfferKind::nothing: break;
  }
  return {};
}

// The third part of a specification. Both words and a kind: an inline function has both.
std::string action_of(const Offer& offer) {
  const std::string words = join(offer.words, " ");
  if (offer.kind == OfferKind::nothing) return words.empty() ? " " : "(" + words + ")";
  if (words.empty()) return std::string(function_of(offer.kind));
  return "{ compadd " + words + "; " + std::string(function_of(offer.kind)) + " }";
}

std::string value_of(const OfferedOption& option) {
  if (option.value == FlagValue::none) return {};
  return (option.value == FlagValue::optional ? "::" : ":") + spec_text(option.value_name) + ":" + action_of(option.offer);
}

// One specification for each spelling; all of them exclude each other unless the option may come again.
std::string specifications_of(const OfferedOption& option) {
  std::string text;
  for (const std::string& name : option.names) {
    const std::string excluded = option.names == std::vector<std::string>{"--help", "-h"} ? "(- *)" : "(" + join(option.names, " ") + ")";
    text += "    '" + (option.repeat == FlagRepeat::many ? std::string("*") : excluded) + name;
    const bool is_long = name.starts_with("--");
    if (option.value == FlagValue::required && is_long) text += "=";
    if (option.value == FlagValue::optional) text += "=-";
    text += "[" + spec_text(option.help) + "]" + value_of(option) + "'\n";
  }
  return text;
}

std::string shared_specifications() {
  std::string text = "_paddock_shared=(\n";
  for (const CommandRow& command : commands()) {
    if (!command.takes_sandbox_flags) continue;
    for (const OfferedOption& option : offered_options(command)) {
      if (!option.group.empty()) text += specifications_of(option);
    }
    break;
  }
  return text + ")\n";
}

std::string rest_of(const CommandRow& command) {
  if (command.rest == Rest::command) return "    '(-)1:agent or command:_paddock_programs' '*::argument:_normal'";
  std::string text;
  for (const OfferedWords& words : offered_words(command)) {
    if (words.after.empty()) text += "    '1:word:" + action_of(words.offer) + "'";
  }
  return text.empty() ? text : text + " '*:word:_paddock_after'";
}

std::string arguments_of(const CommandRow& command) {
  std::string text = "  " + std::string(command.name) + ")\n    _arguments -S \\\n";
  std::string lines;
  for (const OfferedOption& option : offered_options(command)) {
    if (option.group.empty()) lines += specifications_of(option);
  }
  if (command.takes_sandbox_flags) lines += "    $_paddock_shared\n";
  const std::string rest = rest_of(command);
  if (!rest.empty()) lines += rest + "\n";
  lines.pop_back();
  for (const char c : lines) {
    if (c == '\n') text += " \\\n";
    else text += c;
  }
  return text + "\n    ;;\n";
}

std::string arguments_function() {
  std::string text = "_paddock_arguments() {\n  case $1 in\n";
  for (const CommandRow& command : commands()) text += arguments_of(command);
  return text + "  esac\n}\n";
}

// What follows the command's own first word.
std::string after_function() {
  std::string text = "_paddock_after() {\n  case \"$words[1] $line[1]\" in\n";
  for (const CommandRow& command : commands()) {
    for (const OfferedWords& words : offered_words(command)) {
      if (words.after.empty()) continue;
      text += "  '" + std::string(command.name) + " " + words.after + "')";
      if (!words.offer.words.empty()) text += " compadd " + join(words.offer.words, " ") + ";";
      if (words.offer.kind != OfferKind::nothing) text.append(" ").append(function_of(words.offer.kind)).append(";");
      text += ";\n";
    }
  }
  return text + "  esac\n}\n";
}

// "FLAG WORD" where the value is optional.
std::string value_function() {
  std::vector<std::string> patterns;
  for (const CommandRow& command : commands()) {
    for (const OfferedOption& option : offered_options(command)) {
      for (const std::string& word : option.offer.words) {
        const std::string pattern = "'" + option.names.front() + " " + word + "'";
        if (option.value == FlagValue::optional && std::ranges::find(patterns, pattern) == patterns.end()) patterns.push_back(pattern);
      }
    }
  }
  return "_paddock_is_value() { [[ $1 == (" + join(patterns, "|") + ") ]] }\n";
}

std::string commands_function() {
  std::string text = "_paddock_commands() {\n  local -a all=(\n";
  for (const CommandRow& command : commands()) text += "    '" + std::string(command.name) + ":" + spec_text(command.summary) + "'\n";
  return text + "  )\n  _describe -t commands command all\n  compadd -S '' -- --help --version\n}\n";
}

}  // namespace

std::string zsh_completion() {
  return std::string(head) + "typeset -ga _paddock_shared\n" + shared_specifications() + commands_function() + value_function() + after_function() + arguments_function() + std::string(tail);
}

}  // namespace paddock
