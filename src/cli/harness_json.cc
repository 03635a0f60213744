#include "cli/harness_report.h"
#include "plan/codec_json.h"
#include "plan/codec_text.h"

namespace paddock {
namespace {

using codec::Json;

Json texts(const std::vector<std::string>& all) {
  Json array = Json::array();
  for (const std::string& text : all) array.push_back(json_text_of(text));
  return array;
}

std::string printed(const Json& all) { return all.dump(2) + "\n"; }

Json additions(const std::vector<Addition>& all) {
  Json array = Json::array();
  for (const Addition& one : all) {
    array.push_back({{"words", texts(one.words)},
                     {"suppressed_by", texts(one.suppressed_by)},
                     {"after", texts(one.after_subcommands)},
                     {"only", texts(one.only_subcommands)},
                     {"never", texts(one.never_subcommands)},
                     {"options_with_value", texts(one.options_with_value)}});
  }
  return array;
}

Json code(const StatePath& state) {
  Json array = Json::array();
  for (const CodePath& one : state.code) {
    array.push_back({{"path", json_text_of(one.path)},
                     {"kind", one.is_directory ? "directory" : "file"},
                     {"inside", one.inside == CodeInside::protected_part ? "protected" : "private"},
                     {"absent", one.hold_absent ? "hold" : "check"},
                     {"content", json_text_of(one.content)}});
  }
  return array;
}

std::string_view class_word(StateClass state_class) {
  return state_class == StateClass::state ? "state" : state_class == StateClass::cache ? "cache" : "config";
}

Json state(const StatePath& one) {
  Json watch = Json::array();
  for (const WatchedFile& watched : one.watch) watch.push_back({{"path", json_text_of(watched.path)}, {"keys", texts(watched.keys)}});
  return {{"path", json_text_of(one.path)},
          {"override", json_text_of(one.override)},
          {"override_child", json_text_of(one.override_child)},
          {"export", one.exported ? "always" : one.exported_if_moved ? "moved" : "never"},
          {"class", class_word(one.state_class)},
          {"access", one.access == StateAccess::read_write ? "rw" : "ro"},
          {"create", one.create},
          {"secrets", texts(one.secrets)},
          {"code", code(one)},
          {"data", texts(one.data)},
          {"transcripts", texts(one.transcripts)},
          {"watch", std::move(watch)}};
}

std::string_view answer_word(Answered answered) {
  switch (answered) {
    case Answered::yes: return "yes";
    case Answered::too_slow: return "slow";
    case Answered::failed: return "failed";
    case Answered::not_asked: return "not_asked";
  }
  return {};
}

std::string_view problem_word(ExecutableProblem problem) {
  switch (problem) {
    case ExecutableProblem::none: return "none";
    case ExecutableProblem::not_found: return "not_found";
    case ExecutableProblem::not_executable: return "not_executable";
    case ExecutableProblem::interpreter_missing: return "interpreter_missing";
    case ExecutableProblem::shim_unresolved: return "shim_unresolved";
  }
  return {};
}

Json program(const HarnessProgram& one) {
  const Executable& executable = one.executable;
  return {{"name", json_text_of(one.bin)},
          {"problem", problem_word(executable.problem)},
          {"detail", json_text_of(executable.detail)},
          {"found", json_text_of(executable.found)},
          {"real", json_text_of(executable.real)},
          {"chain", texts(executable.chain)},
          {"interpreter", json_text_of(executable.interpreter)},
          {"interpreter_program", json_text_of(executable.interpreter_program)},
          {"needs", texts(executable.needs)}};
}

Json state(const StateFacts& facts) {
  Json names = {{"secret", Json::array()}, {"code", Json::array()}, {"data", Json::array()}, {"transcript", Json::array()}, {"unknown", Json::array()}};
  for (const auto& [name, name_class] : facts.names) names[std::string(word_of(name_class))].push_back(json_text_of(name));
  return {{"path", json_text_of(facts.place)},
          {"class", class_word(facts.state->state_class)},
          {"moved", facts.is_moved},
          {"exists", facts.exists},
          {"names", std::move(names)}};
}

}  // namespace

std::string list_as_json(const std::vector<HarnessRow>& rows) {
  Json array = Json::array();
  for (const HarnessRow& row : rows) {
    array.push_back({{"id", json_text_of(row.id)},
                     {"display", json_text_of(row.display)},
                     {"origin", json_text_of(row.origin)},
                     {"installed", json_text_of(row.installed)},
                     {"problem", json_text_of(row.problem)}});
  }
  return printed({{"schema", "paddock.harness-list/1"}, {"harnesses", std::move(array)}});
}

std::string manifest_as_json(const Manifest& harness) {
  Json help = Json::array();
  for (const HelpCheck& one : harness.help) help.push_back({{"command", texts(one.command)}, {"flags", texts(one.flags)}});
  Json arguments = Json::object();
  for (const std::string_view name : {"continue", "resume", "oneshot", "oneshot_continue", "set_id"}) {
    const auto found = harness.arguments.find(std::string(name));
    arguments[std::string(name)] = texts(found == harness.arguments.end() ? std::vector<std::string>() : found->second);
  }
  Json set = Json::object();
  for (const auto& [name, value] : harness.environment_set) set[json_text_of(name)] = json_text_of(value);
  Json skip = Json::object();
  for (const auto& [name, value] : harness.environment_skip) skip[json_text_of(name)] = json_text_of(value);
  Json states = Json::array();
  for (const StatePath& one : harness.state) states.push_back(state(one));
  Json seeds = Json::array();
  for (const SeedFile& seed : harness.seeds) {
    seeds.push_back({{"path", json_text_of(seed.path)}, {"from", json_text_of(seed.from)}, {"content", json_text_of(seed.content)}});
  }
  return printed({{"schema", "paddock.harness/1"},
                  {"id", json_text_of(harness.id)},
                  {"display", json_text_of(harness.display)},
                  {"homepage", json_text_of(harness.homepage)},
                  {"origin", json_text_of(harness.origin)},
                  {"bins", texts(harness.bins)},
                  {"tested", texts(harness.tested)},
                  {"hosted_model", harness.hosted_model},
                  {"added",
                   {{"skip_permissions", additions(harness.skip_permissions)},
                    {"inner_sandbox_off", additions(harness.inner_sandbox_off)},
                    {"confined", additions(harness.confined)}}},
                  {"arguments", std::move(arguments)},
                  {"help", std::move(help)},
                  {"preflight", {{"arguments", texts(harness.preflight.arguments)}, {"timeout_s", harness.preflight.timeout_s}}},
                  {"environment", {{"set", std::move(set)}, {"skip_permissions", std::move(skip)}, {"pass", texts(harness.environment_pass)}}},
                  {"state", std::move(states)},
                  {"seeds", std::move(seeds)},
                  {"login", {{"variables", texts(harness.login.variables)}, {"command", texts(harness.login.command)}}}});
}

std::string check_as_json(const HarnessCheck& check) {
  Json states = Json::array();
  for (const StateFacts& facts : check.state) states.push_back(state(facts));
  return printed({{"schema", "paddock.harness-check/1"},
                  {"id", json_text_of(check.harness->id)},
                  {"ok", check.problems.empty()},
                  {"problems", texts(check.problems)},
                  {"notes", texts(check.notes)},
                  {"program", program(check.program)},
                  {"version",
                   {{"answered", answer_word(check.version.answered)},
                    {"version", json_text_of(check.version.version)},
                    {"tested", texts(check.harness->tested)},
                    {"problem", json_text_of(check.version.problem)}}},
                  {"flags",
                   {{"answered", answer_word(check.flags.answered)},
                    {"missing", texts(check.flags.missing)},
                    {"problem", json_text_of(check.flags.problem)}}},
                  {"state", std::move(states)},
                  {"login", {{"present", check.login.is_present()}, {"files", texts(check.login.files)}, {"variables", texts(check.login.variables)}}}});
}

std::string unreadable_as_json(const std::string& id, const std::string& problem) {
  Manifest unread;
  unread.id = id;
  HarnessCheck check;
  check.harness = &unread;
  check.program.executable.problem = ExecutableProblem::not_found;
  check.problems = {problem};
  return check_as_json(check);
}

std::string checks_as_json(const std::vector<std::string>& checks) {
  Json array = Json::array();
  bool ok = true;
  for (const std::string& one : checks) {
    array.push_back(Json::parse(one));
    ok = ok && array.back()["ok"].get<bool>();
  }
  return printed({{"schema", "paddock.harness-checks/1"}, {"ok", ok}, {"checks", std::move(array)}});
}

}  // namespace paddock
