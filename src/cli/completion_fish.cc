#include <algorithm>

#include "base/text.h"
#include "cli/completion.h"
#include "cli/offers.h"

namespace paddock {
namespace {

constexpr std::string_view head = R"fish(# fish completion for paddock; made by: paddock completion fish

# The first word of each line of a listing.
function __paddock_list
    for line in (command paddock $argv 2>/dev/null)
        string match -r '^[[:alnum:]._+@-]+(?= |$)' -- $line
    end
end

)fish";

constexpr std::string_view tail = R"fish(
# Where the cursor is, from the words before it: prints the command and its own words so far, and for a command
# that starts something "--" and the payload's words after that.
function __paddock_place
    set -l words (commandline -opc)
    set -e words[1]
    set -q words[1]; or return 1
    set -l command $words[1]
    set -e words[1]
    printf '%s\n' $command
    while set -q words[1]
        set -l word $words[1]
        set -e words[1]
        if test "$word" = --
            contains -- $command $__paddock_starters; and printf '%s\n' -- $words
            return
        else if string match -q -- '-?*' $word
            if contains -- "$command $word" $__paddock_valued; or contains -- "$command $word $words[1]" $__paddock_valued
                set -q words[1]; and set -e words[1]
            end
        else if contains -- $command $__paddock_starters
            printf '%s\n' -- $word $words
            return
        else
            printf '%s\n' $word
        end
    end
    return 0
end

# True among the options of one of these commands.
function __paddock_in
    set -l place (__paddock_place)
    contains -- "$place[1]" $argv; and not contains -- -- $place
end

# True where the next word of COMMAND follows exactly these.
function __paddock_after
    set -l place (__paddock_place)
    test "$place" = "$argv"
end

# True behind COMMAND FIRST, at any further word.
function __paddock_behind
    set -l place (__paddock_place)
    test (count $place) -ge 2; and test "$place[1..2]" = "$argv"
end

# The payload's own completion; its first word is an agent or a program.
function __paddock_payload
    set -l place (__paddock_place)
    set -e place[1]
    set -q place[1]; and set -e place[1]
    if not set -q place[1]
        __paddock_list harness list
        complete -C (commandline -ct)
    else
        complete -C (string join ' ' -- (string escape -- $place) (commandline -ct))
    end
end

function __paddock_in_payload
    set -l place (__paddock_place)
    contains -- "$place[1]" $__paddock_starters; and begin
        contains -- -- $place; or not string match -q -- '-*' (commandline -ct)
    end
end

complete -c paddock -f
complete -c paddock -n 'not __paddock_place' -l help -s h -d 'all commands'
complete -c paddock -n 'not __paddock_place' -l version -d 'the version'
complete -c paddock -n __paddock_in_payload -a '(__paddock_payload)'
)fish";

std::string quoted(std::string_view text) {
  std::string escaped = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') escaped += '\\';
    escaped += c;
  }
  return escaped + "'";
}

std::string_view list_of(OfferKind kind) {
  switch (kind) {
    case OfferKind::directories: return "(__fish_complete_directories (commandline -ct))";
    case OfferKind::profiles: return "(__paddock_list profile list)";
    case OfferKind::harnesses: return "(__paddock_list harness list)";
    case OfferKind::variables: return "(set -x --names)";
    case OfferKind::programs:  // only payloads
    case OfferKind::files:     // "-F" instead
    case OfferKind::nothing: break;
  }
  return {};
}

// " -a '…'", with the files of the shell itself where they belong.
std::string answers_of(const Offer& offer) {
  std::string list = join(offer.words, " ");
  const std::string_view found = list_of(offer.kind);
  if (!list.empty() && !found.empty()) list += " ";
  list += found;
  return (list.empty() ? std::string() : " -a " + quoted(list)) + (offer.kind == OfferKind::files ? " -F" : " -f");
}

// What the options of `wanted` look like among those commands.
std::string option_lines(const std::string& condition, const std::vector<OfferedOption>& options) {
  std::string text;
  for (const OfferedOption& option : options) {
    text += "complete -c paddock -n " + quoted(condition);
    for (const std::string& name : option.names) text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (option.value == FlagValue::required) text += " -r";
    if (option.value != FlagValue::none) text += answers_of(option.offer);
    text += " -d " + quoted(option.help) + "\n";
  }
  return text;
}

std::vector<OfferedOption> part_of(const CommandRow& command, bool (*wanted)(const OfferedOption&)) {
  std::vector<OfferedOption> options = offered_options(command);
  std::erase_if(options, [&](const OfferedOption& option) { return !wanted(option); });
  return options;
}

bool is_own(const OfferedOption& option) { return option.group.empty(); }
bool is_shared(const OfferedOption& option) { return !option.group.empty(); }

std::string names_where(bool (*holds)(const CommandRow&)) {
  std::vector<std::string> names;
  for (const CommandRow& command : commands()) {
    if (holds(command)) names.emplace_back(command.name);
  }
  return join(names, " ");
}

// "COMMAND FLAG" where the next word is the value, "COMMAND FLAG WORD" where that word is.
std::string valued() {
  std::string text = "set -g __paddock_valued";
  for (const CommandRow& command : commands()) {
    for (const OfferedOption& option : offered_options(command)) {
      for (const std::string& name : option.names) {
        const std::string both = std::string(command.name) + " " + name;
        if (option.value == FlagValue::required) text += " " + quoted(both);
        for (const std::string& word : option.offer.words) {
          if (option.value == FlagValue::optional) text += " " + quoted(both + " " + word);
        }
      }
    }
  }
  return text + "\n";
}

std::string word_lines(const CommandRow& command) {
  std::string text;
  for (const OfferedWords& words : offered_words(command)) {
    const std::string condition = words.after.empty() ? "__paddock_after " + std::string(command.name) : "__paddock_behind " + std::string(command.name) + " " + words.after;
    if (words.offer != Offer{}) text += "complete -c paddock -n " + quoted(condition) + answers_of(words.offer) + "\n";
  }
  return text;
}

}  // namespace

std::string fish_completion() {
  std::string text(head);
  text += "set -g __paddock_starters " + names_where([](const CommandRow& command) { return command.rest == Rest::command; }) + "\n";
  text += valued();
  text += tail;
  for (const CommandRow& command : commands()) {
    text += "complete -c paddock -n 'not __paddock_place' -a " + std::string(command.name) + " -d " + quoted(command.summary) + "\n";
    text += word_lines(command);
    text += option_lines("__paddock_in " + std::string(command.name), part_of(command, is_own));
  }
  const std::string sandboxed = names_where([](const CommandRow& command) { return command.takes_sandbox_flags; });
  const auto any = std::ranges::find(commands(), true, &CommandRow::takes_sandbox_flags);
  if (any != commands().end()) text += option_lines("__paddock_in " + sandboxed, part_of(*any, is_shared));
  return text;
}

}  // namespace paddock
