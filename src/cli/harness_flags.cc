#include "cli/harness_flags.h"

#include <algorithm>
#include <iterator>

#include <fmt/core.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/messages.h"
#include "cli/program_identity.h"
#include "harness/help.h"

namespace paddock {
namespace {

using Flags = std::vector<std::string>;

constexpr unsigned help_timeout_ms = 20'000;

Colour colour_of(const Context& context) { return context.colour ? Colour::yes : Colour::no; }

// Everything that the answer depends on: which program this is, and what is asked of it. Empty: the
// program cannot be looked at.
std::string key_of(const Manifest& harness, const Executable& found) {
  const std::string identity = program_identity(found);
  if (identity.empty()) return {};
  std::string key = fmt::format("paddock {} help 1\n{}", PADDOCK_VERSION, identity);
  for (const HelpCheck& check : harness.help) key += fmt::format("{}: {}\n", join(check.command, " "), join(check.flags, " "));
  return key + "missing:";
}

std::string cache_of(const Context& context, const Manifest& harness) { return path::join(context.directories.state, "help-" + harness.id); }

std::optional<Flags> recall(const Context& context, const Manifest& harness, const std::string& key) {
  const auto text = read_file_if_any(cache_of(context, harness), 65536);
  if (!text || !*text || !(*text)->starts_with(key)) return std::nullopt;
  Flags missing;
  for (std::string& word : split(trim((*text)->substr(key.size())), ' ')) {
    if (!word.empty()) missing.push_back(std::move(word));
  }
  return missing;
}

// Best effort: what cannot be kept is asked again.
void remember(const Context& context, const Manifest& harness, const std::string& key, const Flags& missing) {
  if (!make_private_directories(context.directories.state).ok()) return;
  (void)write_file(cache_of(context, harness), fmt::format("{} {}\n", key, join(missing, " "))).ok();
}

Result<Flags> ask(const Context& context, const Manifest& harness, const QuestionPlace& place) {
  Flags missing;
  for (const HelpCheck& check : harness.help) {
    const Captured said = TRY(ask_program(context, place, {&harness, check.command, help_timeout_ms}));
    if (said.too_slow) return error(ErrorCode::cannot_start, fmt::format("no end within {} s", help_timeout_ms / 1000));
    if (trim(said.text).empty()) return error(ErrorCode::cannot_start, "it says nothing");
    Flags here = missing_flags(check, said.text);
    if (said.exit_code != 0 && here.size() == check.flags.size()) {
      return error(ErrorCode::cannot_start, fmt::format("`{}` ends with status {}", join(check.command, " "), said.exit_code));
    }
    std::ranges::move(here, std::back_inserter(missing));
  }
  return missing;
}

// One line for each feature that is gone, as far as this start would have used it.
void tell(const Context& context, const Setup& setup, const Flags& missing, const std::vector<std::string>& lost) {
  for (const std::string& feature : lost) {
    if (feature == "skip_permissions" && setup.input.policy.permissions.value != Permissions::skip) continue;
    const std::string_view result = feature == "skip_permissions"    ? "it will ask for permission"
                                    : feature == "inner_sandbox_off" ? "its own sandbox stays as it is"
                                                                     : "some of what its manifest adds is left out";
    print_warning(fmt::format("{} as installed does not know {}: {}", setup.harness->display, visible(join(missing, ", ")), result), colour_of(context));
  }
}

}  // namespace

std::optional<Flags> kept_unknown_flags(const Context& context, const Manifest& harness, const Executable& program) {
  const std::string key = key_of(harness, program);
  return key.empty() ? std::nullopt : recall(context, harness, key);
}

Result<Flags> unknown_flags(const Context& context, const Manifest& harness, const Executable& program, const QuestionPlace& place) {
  if (auto known = kept_unknown_flags(context, harness, program)) return std::move(*known);
  const std::string key = key_of(harness, program);
  Flags missing = TRY(ask(context, harness, place));
  if (!key.empty()) remember(context, harness, key, missing);
  return missing;
}

Result<bool> check_harness_flags(const Context& context, const Setup& setup, const Plan& plan, const ChosenBackend& chosen, const Executable& program) {
  Manifest& harness = *setup.harness;
  if (harness.help.empty() || plan.command.empty()) return false;
  const Result<Flags> missing = unknown_flags(context, harness, program, {chosen.backend, chosen.probe});
  if (!missing) {
    print_note(fmt::format("{} could not be asked which options it knows: {}", harness.display, visible(missing.failure().message)), colour_of(context));
    return false;
  }
  Reduced reduced = without_flags(std::move(harness), *missing);
  harness = std::move(reduced.manifest);
  tell(context, setup, *missing, reduced.lost);
  return !reduced.lost.empty();
}

}  // namespace paddock
