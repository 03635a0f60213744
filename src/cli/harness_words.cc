#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"
#include "cli/harness_report.h"

namespace paddock {
namespace {

constexpr std::string_view nothing = "none";

void line(std::string& text, std::string_view name, const std::string& value) { text += fmt::format("  {:<14} {}\n", name, value); }

std::string shown(const std::vector<std::string>& words) { return words.empty() ? std::string(nothing) : visible(shell_words(words)); }

std::string shown_list(const std::vector<std::string>& names) { return names.empty() ? std::string(nothing) : visible(join(names, ", ")); }

// One addition with when and where it goes in.
void addition_lines(std::string& text, std::string_view name, std::string_view when, const std::vector<Addition>& additions) {
  if (additions.empty()) return line(text, name, std::string(nothing));
  for (const Addition& addition : additions) {
    line(text, name, fmt::format("{}, {}", shown(addition.words), when));
    if (!addition.suppressed_by.empty()) line(text, "", "not if you give " + shown_list(addition.suppressed_by));
  }
}

std::string named(std::vector<std::string> subcommands) {
  std::ranges::replace(subcommands, std::string(), std::string("no sub-command"));
  return shown_list(subcommands);
}

void placement_lines(std::string& text, const Manifest& harness) {
  const auto* const any = !harness.skip_permissions.empty()    ? &harness.skip_permissions.front()
                          : !harness.inner_sandbox_off.empty() ? &harness.inner_sandbox_off.front()
                          : !harness.confined.empty()          ? &harness.confined.front()
                                                               : nullptr;
  if (any == nullptr) return;
  line(text, "placed", any->after_subcommands.empty() ? "before your own words" : "before your own words; behind " + named(any->after_subcommands));
  if (!any->only_subcommands.empty()) line(text, "", "only with " + named(any->only_subcommands));
  if (!any->never_subcommands.empty()) line(text, "", "never with " + named(any->never_subcommands));
}

std::string_view word_of(StateClass state_class) {
  return state_class == StateClass::state ? "state" : state_class == StateClass::cache ? "cache" : "configuration";
}

std::vector<std::string> code_names(const StatePath& state, CodeInside inside) {
  std::vector<std::string> names;
  for (const CodePath& code : state.code) {
    if (code.inside == inside) names.push_back(code.path);
  }
  return names;
}

void state_lines(std::string& text, const StatePath& state) {
  const std::string moved = state.override.empty() ? "" : fmt::format(", moved by {}", visible(state.override));
  line(text, "directory", fmt::format("{} ({}, {}{})", visible(state.path), word_of(state.state_class),
                                      state.access == StateAccess::read_write ? "read and write" : "read-only", moved));
  const auto names = [&](std::string_view name, const std::vector<std::string>& all) {
    if (!all.empty()) line(text, name, shown_list(all));
  };
  names("  secret", state.secrets);
  names("  protected", code_names(state, CodeInside::protected_part));
  names("  private", code_names(state, CodeInside::private_directory));
  names("  data", state.data);
  names("  transcripts", state.transcripts);
  for (const WatchedFile& watched : state.watch) names("  watched", {watched.path + ": " + join(watched.keys, ", ")});
  if (state.access == StateAccess::read_write) line(text, "  other names", "count as code: protected, and moved aside when new");
}

std::string counted(const StateFacts& facts, NameClass name_class) {
  const auto count = std::ranges::count_if(facts.names, [&](const auto& one) { return one.second == name_class; });
  return count == 0 ? std::string() : fmt::format("{} {}", count, word_of(name_class));
}

std::string state_in_words(const StateFacts& facts) {
  if (!facts.exists) return fmt::format("{}: not there{}", visible(facts.place), facts.state->create ? " yet" : "");
  std::vector<std::string> parts;
  std::vector<std::string> unknown;
  for (const NameClass one : {NameClass::secret, NameClass::code, NameClass::data, NameClass::transcript, NameClass::unknown}) {
    if (std::string part = counted(facts, one); !part.empty()) parts.push_back(std::move(part));
  }
  for (const auto& [name, name_class] : facts.names) {
    if (name_class == NameClass::unknown && unknown.size() < 8) unknown.push_back(name);
  }
  std::string words = fmt::format("{}: {}", visible(facts.place), parts.empty() ? "empty" : join(parts, ", "));
  if (!unknown.empty()) words += fmt::format(" (counted as code: {})", visible(join(unknown, ", ")));
  return words;
}

std::string version_in_words(const HarnessCheck& check) {
  const std::string tested = check.harness->tested.empty() ? "written from its documents" : "checked with " + join(check.harness->tested, ", ");
  switch (check.version.answered) {
    case Answered::yes: return visible(fmt::format("{} (the manifest was {})", check.version.version, tested));
    case Answered::too_slow: return fmt::format("slow: no answer within {} s", version_timeout_ms / 1000);
    case Answered::failed: return visible(check.version.problem);
    case Answered::not_asked: return "not asked";
  }
  return {};
}

std::vector<std::string> relied_on(const Manifest& harness) {
  std::vector<std::string> flags;
  for (const HelpCheck& help : harness.help) {
    for (const std::string& flag : help.flags) {
      if (std::ranges::find(flags, flag) == flags.end()) flags.push_back(flag);
    }
  }
  return flags;
}

std::string flags_in_words(const HarnessCheck& check) {
  if (check.harness->help.empty()) return "none are relied on";
  if (check.flags.answered == Answered::not_asked) return "not asked";
  if (check.flags.answered != Answered::yes) return "could not be asked: " + visible(check.flags.problem);
  if (!check.flags.missing.empty()) return "not known to it: " + shown_list(check.flags.missing);
  return "all known: " + shown_list(relied_on(*check.harness));
}

void program_lines(std::string& text, const HarnessProgram& program) {
  const Executable& executable = program.executable;
  if (!program.is_installed()) return line(text, "program", visible(executable.detail));
  line(text, "program", visible(executable.found));
  for (const std::string& link : executable.chain) {
    if (link != executable.found && link != executable.real) line(text, "", "by way of " + visible(link));
  }
  if (!executable.real.empty() && executable.real != executable.found) line(text, "", "which is " + visible(executable.real));
  if (!executable.interpreter.empty()) {
    const std::string by = executable.interpreter_program.empty() ? "" : " → " + executable.interpreter_program;
    line(text, "run by", visible(executable.interpreter + by));
  }
  if (!executable.needs.empty()) line(text, "shows", shown_list(executable.needs));
}

}  // namespace

std::string list_in_words(const std::vector<HarnessRow>& rows) {
  std::string text;
  for (const HarnessRow& row : rows) {
    if (!row.problem.empty()) {
      text += fmt::format("{:<12} cannot be read: {}\n", visible(row.id), visible_lines(row.problem));
      continue;
    }
    const std::string origin = row.origin.starts_with("share/") ? "" : fmt::format("  [{}]", visible(row.origin));
    text += fmt::format("{:<12} {:<16} {}{}\n", visible(row.id), visible(row.display), row.installed.empty() ? "not installed" : visible(row.installed), origin);
  }
  return text;
}

std::string manifest_in_words(const Manifest& harness) {
  std::string text = fmt::format("{} ({})\n", visible(harness.display), visible(harness.id));
  line(text, "from", visible(harness.origin));
  if (!harness.homepage.empty()) line(text, "homepage", visible(harness.homepage));
  line(text, "programs", shown_list(harness.bins));
  line(text, "checked with", shown_list(harness.tested));
  if (harness.hosted_model) line(text, "model", "hosted: with the network off it will not reach one");
  text += "\nadded to its command line, when confined:\n";
  addition_lines(text, "permissions", "unless --permissions ask", harness.skip_permissions);
  addition_lines(text, "own sandbox", "always", harness.inner_sandbox_off);
  addition_lines(text, "also", "always", harness.confined);
  placement_lines(text, harness);
  text += "\nhow it is asked for:\n";
  for (const auto& [name, words] : harness.arguments) line(text, name, shown(words));
  text += "\nenvironment:\n";
  for (const auto& [name, value] : harness.environment_set) line(text, "set", visible(name + "=" + value));
  for (const auto& [name, value] : harness.environment_skip) line(text, "set", visible(name + "=" + value) + ", unless --permissions ask");
  line(text, "from the host", shown_list(harness.environment_pass));
  text += "\nstate:\n";
  if (harness.state.empty()) line(text, "directory", std::string(nothing));
  for (const StatePath& state : harness.state) state_lines(text, state);
  for (const SeedFile& seed : harness.seeds) line(text, "first file", visible(seed.path) + (seed.from.empty() ? "" : ", from " + visible(seed.from)));
  text += "\nlogin:\n";
  line(text, "variables", shown_list(harness.login.variables));
  line(text, "command", harness.login.command.empty() ? std::string(nothing) : shown(harness.login.command));
  return text;
}

std::string check_in_words(const HarnessCheck& check) {
  std::string text = fmt::format("{} ({})\n", visible(check.harness->display), visible(check.harness->id));
  if (check.harness->bins.empty()) return text + "  any command: nothing of its own to check\n";
  program_lines(text, check.program);
  if (check.program.is_installed()) {
    line(text, "version", version_in_words(check));
    line(text, "options", flags_in_words(check));
  }
  for (const StateFacts& facts : check.state) line(text, std::string(word_of(facts.state->state_class)), state_in_words(facts));
  std::vector<std::string> logins = check.login.files;
  logins.insert(logins.end(), check.login.variables.begin(), check.login.variables.end());
  line(text, "login", logins.empty() ? "none found" : shown_list(logins));
  for (const std::string& note : check.notes) line(text, "note", visible(note));
  for (const std::string& problem : check.problems) line(text, "not fine", visible(problem));
  if (check.problems.empty()) line(text, "fine", "");
  return text;
}

}  // namespace paddock
