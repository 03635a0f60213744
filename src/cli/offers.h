// What can be completed where, derived from the command table and the table of sandbox flags alone, so that a
// new command or flag is completed and documented by being in its table. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace paddock {

enum class OfferKind {
  nothing,
  files,
  directories,
  profiles,   // paddock profile list
  harnesses,  // paddock harness list
  programs,   // harnesses, and what lies on PATH
  variables,  // names of environment variables
};

// What may stand at one place: these words, and what the kind finds when asked.
struct Offer {
  OfferKind kind = OfferKind::nothing;
  std::vector<std::string> words;
  friend bool operator==(const Offer&, const Offer&) = default;
};

struct OfferedOption {
  std::vector<std::string> names;  // as in the help: the table's name first, then aliases or the short name
  FlagValue value = FlagValue::none;
  FlagRepeat repeat = FlagRepeat::once;
  std::string value_name;          // empty without a value
  std::string group;               // heading in the help; empty: the command's own
  std::string help;
  Offer offer;                     // of the value
};

// After the command's name: its first word (`after` is empty), or all those after the first word `after`.
struct OfferedWords {
  std::string after;
  Offer offer;
};

// Everything that `paddock COMMAND --help` shows, in its order, --help included.
std::vector<OfferedOption> offered_options(const CommandRow& command);

// From the usage line, "list | check NAME": lower-case words stand for themselves, upper-case ones for
// something that is looked up. Not for commands whose rest is a payload (Rest::command).
std::vector<OfferedWords> offered_words(const CommandRow& command);

}  // namespace paddock
