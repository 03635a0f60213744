#include "cli/harness_facts.h"

#include "base/path.h"
#include "base/text.h"
#include "cli/harness_flags.h"

namespace paddock {
namespace {

constexpr std::size_t version_bytes_max = 200;

std::string search_path_of(const Context& context) {
  const auto path = context.environment.find("PATH");
  return path == context.environment.end() ? "/usr/local/bin:/usr/bin:/bin" : path->second;
}

bool is_version(std::string_view word) {
  if (word.empty() || word.find('.') == std::string_view::npos) return false;
  if (word.front() == 'v') word.remove_prefix(1);
  return !word.empty() && word.front() >= '0' && word.front() <= '9';
}

std::string first_line(std::string_view text) {
  for (const std::string& line : split(text, '\n')) {
    if (!trim(line).empty()) return std::string(trim(line).substr(0, version_bytes_max));
  }
  return {};
}

std::string version_in(std::string_view text) {
  const std::string line = first_line(text);
  for (const std::string& word : split(line, ' ')) {
    if (!is_version(word)) continue;
    const auto from = word.front() == 'v' ? 1 : 0;
    return word.substr(from, word.find_first_of("(),;", from) - from);
  }
  return line;
}

}  // namespace

HarnessProgram find_program(const Context& context, const Manifest& harness) {
  HarnessProgram program;
  program.executable.problem = ExecutableProblem::not_found;
  program.executable.detail = "no " + join(harness.bins, ", ") + " on PATH";
  const std::string search_path = search_path_of(context);
  for (const std::string& name : harness.bins) {
    Executable found = context.host->find_executable(name, search_path);
    if (found.problem == ExecutableProblem::not_found) continue;
    return {name, std::move(found)};
  }
  return program;
}

std::vector<StateFacts> look_at_state(const Context& context, const Manifest& harness) {
  std::vector<StateFacts> all;
  for (const StatePath& state : harness.state) {
    StateFacts facts;
    facts.state = &state;
    facts.place = place_of(state, context.environment, context.host->user().home);
    facts.is_moved = is_moved(state, context.environment);
    const std::string real = context.host->real_path(facts.place).value_or(facts.place);
    facts.exists = context.host->look(real).kind == FileKind::directory;
    if (facts.exists) {
      for (const std::string& name : context.host->list(real)) {
        if (facts.names.size() >= state_names_max) break;
        facts.names.emplace(name, class_of(state, harness, name));
      }
    }
    all.push_back(std::move(facts));
  }
  return all;
}

LoginFacts look_for_login(const Context& context, const Manifest& harness, const std::vector<StateFacts>& state) {
  LoginFacts login;
  for (const StateFacts& facts : state) {
    for (const std::string& secret : facts.state->secrets) {
      std::string place = path::join(facts.place, secret);
      if (facts.exists && context.host->real_path(place)) login.files.push_back(std::move(place));
    }
  }
  for (const std::string& name : harness.login.variables) {
    const auto set = context.environment.find(name);
    if (set != context.environment.end() && !set->second.empty()) login.variables.push_back(name);
  }
  return login;
}

VersionFacts version_facts(const Result<Captured>& said) {
  VersionFacts facts;
  if (!said) {
    facts.answered = Answered::failed;
    facts.problem = said.failure().message;
    return facts;
  }
  facts.answered = said->too_slow ? Answered::too_slow : said->exit_code == 0 ? Answered::yes : Answered::failed;
  if (facts.answered == Answered::yes) facts.version = version_in(said->text);
  if (facts.answered == Answered::failed) {
    const std::string line = first_line(said->text);
    facts.problem = "--version ends with status " + std::to_string(said->exit_code) + (line.empty() ? "" : ": " + line);
  }
  return facts;
}

VersionFacts ask_version(const Context& context, const Manifest& harness, const QuestionPlace& place) {
  return version_facts(ask_program(context, place, {&harness, {"--version"}, version_timeout_ms}));
}

FlagFacts ask_flags(const Context& context, const Manifest& harness, const HarnessProgram& program, const QuestionPlace& place) {
  FlagFacts facts;
  if (harness.help.empty()) return facts;
  auto missing = unknown_flags(context, harness, program.executable, place);
  facts.answered = missing ? Answered::yes : Answered::failed;
  if (missing) facts.missing = std::move(*missing);
  else facts.problem = missing.failure().message;
  return facts;
}

}  // namespace paddock
