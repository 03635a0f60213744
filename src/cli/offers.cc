#include "cli/offers.h"

#include <algorithm>

#include "base/text.h"
#include "plan/guarantee.h"
#include "policy/words.h"

namespace paddock {
namespace {

// What a name in capitals stands for; the row of the command itself wins over the general one.
struct Placeholder {
  std::string_view command;  // empty: any
  std::string_view name;
  OfferKind kind;
};
constexpr Placeholder placeholders[] = {
    {"profile", "NAME", OfferKind::profiles}, {"harness", "NAME", OfferKind::harnesses}, {"", "PROFILE", OfferKind::profiles},
    {"", "HARNESS", OfferKind::harnesses},    {"", "FILE", OfferKind::files},            {"", "PATH", OfferKind::files},
    {"", "PLAN", OfferKind::files},           {"", "DIRECTORY", OfferKind::directories}, {"", "DIR", OfferKind::directories},
    {"", "PROJECT", OfferKind::directories},
};

OfferKind kind_of(std::string_view command, std::string_view name) {
  for (const Placeholder& known : placeholders) {
    if (known.name == name && (known.command == command || known.command.empty())) return known.kind;
  }
  return OfferKind::nothing;
}

bool is_placeholder(std::string_view word) { return !word.empty() && word.front() >= 'A' && word.front() <= 'Z'; }

void merge(Offer& into, const Offer& more) {
  if (more.kind != OfferKind::nothing) into.kind = more.kind;
  for (const std::string& word : more.words) {
    if (std::ranges::find(into.words, word) == into.words.end()) into.words.push_back(word);
  }
}

std::vector<std::string> names_of_commands() {
  std::vector<std::string> names;
  for (const CommandRow& row : commands()) names.emplace_back(row.name);
  return names;
}

// "rw|ro|cow", "NAME", "bash|zsh|fish"
Offer offer_of(std::string_view command, std::string_view term) {
  Offer offer;
  for (const std::string& word : split(term, '|')) {
    if (word == "COMMAND") merge(offer, {OfferKind::nothing, names_of_commands()});
    else if (is_placeholder(word)) merge(offer, {kind_of(command, word), {}});
    else if (!word.empty()) merge(offer, {OfferKind::nothing, {word}});
  }
  return offer;
}

std::vector<std::string> guarantees_to_give_up() {
  std::vector<std::string> names;
  for (const Guarantee guarantee : all_guarantees()) {
    if (can_be_given_up(guarantee)) names.emplace_back(name_of(guarantee));
  }
  return names;
}

Offer offer_of(const SandboxFlagRow& row) {
  switch (row.flag) {
    case SandboxFlag::sandbox:
    case SandboxFlag::type: return {OfferKind::nothing, all_words<SandboxType>()};
    case SandboxFlag::profile: return {OfferKind::profiles, {}};
    case SandboxFlag::workspace: return {OfferKind::directories, {}};
    case SandboxFlag::net: return {OfferKind::nothing, all_words<NetworkMode>()};
    case SandboxFlag::credentials: return {OfferKind::nothing, all_words<CredentialMode>()};
    case SandboxFlag::without: return {OfferKind::nothing, guarantees_to_give_up()};
    case SandboxFlag::ro:
    case SandboxFlag::rw:
    case SandboxFlag::mask:
    case SandboxFlag::protect:
    case SandboxFlag::env_file: return {OfferKind::files, {}};
    case SandboxFlag::env: return {OfferKind::variables, {}};
    default: return offer_of({}, row.value_name);
  }
}

// Without brackets, dots and the words that stand for options.
std::vector<std::string> terms_of(std::string_view usage) {
  std::string plain(usage);
  std::erase_if(plain, [](char c) { return c == '[' || c == ']'; });
  std::vector<std::string> terms;
  for (std::string term : split(plain, ' ')) {
    for (const std::string_view dots : {"…", "..."}) {
      if (term.ends_with(dots)) term.resize(term.size() - dots.size());
    }
    if (!term.empty() && term != "OPTIONS" && !term.starts_with("-")) terms.push_back(std::move(term));
  }
  return terms;
}

Offer& words_after(std::vector<OfferedWords>& all, const std::string& first) {
  const auto known = std::ranges::find(all, first, &OfferedWords::after);
  return known != all.end() ? known->offer : all.emplace_back(OfferedWords{first, {}}).offer;
}

}  // namespace

std::vector<OfferedOption> offered_options(const CommandRow& command) {
  std::vector<OfferedOption> all;
  for (const OptionRow& row : command.options) {
    OfferedOption option{{std::string(row.name)}, row.value, FlagRepeat::once, std::string(row.value_name), {}, std::string(row.help), {}};
    if (!row.short_name.empty()) option.names.emplace_back(row.short_name);
    if (row.value != FlagValue::none) option.offer = offer_of(command.name, row.value_name);
    all.push_back(std::move(option));
  }
  all.push_back({{"--help", "-h"}, FlagValue::none, FlagRepeat::once, {}, {}, "this text", {}});
  if (!command.takes_sandbox_flags) return all;
  for (const SandboxFlagRow& row : sandbox_flags()) {
    OfferedOption option{{std::string(row.name)}, row.value, row.repeat, std::string(row.value_name), std::string(row.group), std::string(row.help), offer_of(row)};
    for (const std::string_view alias : row.aliases) option.names.emplace_back(alias);
    all.push_back(std::move(option));
  }
  return all;
}

std::vector<OfferedWords> offered_words(const CommandRow& command) {
  std::vector<OfferedWords> all;
  if (command.rest == Rest::command) return all;
  std::string first;
  bool is_first = true;
  for (const std::string& term : terms_of(command.usage)) {
    if (term == "|") {
      is_first = true;
      first.clear();
      continue;
    }
    const Offer offer = offer_of(command.name, term);
    if (is_first) {
      merge(words_after(all, {}), offer);
      if (offer.words.size() == 1) first = offer.words.front();
      is_first = false;
    } else if (!first.empty()) {
      merge(words_after(all, first), offer);
    }
  }
  return all;
}

}  // namespace paddock
