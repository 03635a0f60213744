#include "cli/harness_versions.h"

#include <fmt/core.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/program_identity.h"

namespace paddock {
namespace {

constexpr std::size_t kept_bytes_max = 65536;

std::string place_of(const Context& context, const Manifest& harness) { return path::join(context.directories.state, "version-" + harness.id); }

std::string key_of(const HarnessProgram& program) {
  const std::string identity = program_identity(program.executable);
  return identity.empty() ? std::string() : fmt::format("paddock {} version 1\n{}version: ", PADDOCK_VERSION, identity);
}

std::string recall(const std::string& place, const std::string& key) {
  const auto text = read_file_if_any(place, kept_bytes_max);
  if (!text || !*text || key.empty() || !(*text)->starts_with(key)) return {};
  return std::string(trim((*text)->substr(key.size())));
}

}  // namespace

std::vector<VersionFacts> versions_of(const Context& context, const QuestionPlace& place, std::span<const InstalledHarness> installed, Kept kept) {
  std::vector<VersionFacts> all(installed.size());
  std::vector<std::size_t> asked;
  std::vector<Question> questions;
  for (std::size_t i = 0; i < installed.size(); ++i) {
    if (kept == Kept::use) all[i].version = recall(place_of(context, *installed[i].harness), key_of(*installed[i].program));
    if (!all[i].version.empty()) {
      all[i].answered = Answered::yes;
      continue;
    }
    asked.push_back(i);
    questions.push_back({installed[i].harness, {"--version"}, version_timeout_ms});
  }
  const std::vector<Result<Captured>> answers = ask_programs(context, place, questions);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    VersionFacts& facts = all[asked[i]] = version_facts(answers[i]);
    const InstalledHarness& one = installed[asked[i]];
    const std::string key = key_of(*one.program);
    if (facts.answered != Answered::yes || facts.version.empty() || key.empty()) continue;
    // Best effort: what cannot be kept is asked again.
    if (make_private_directories(context.directories.state).ok()) (void)write_file(place_of(context, *one.harness), fmt::format("{}{}\n", key, visible(facts.version))).ok();
  }
  return all;
}

}  // namespace paddock
