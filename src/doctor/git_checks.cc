#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"
#include "doctor/checks.h"

namespace paddock::doctor {
namespace {

using Version = std::vector<std::uint64_t>;

// The numbers of "git version 2.39.5 (Apple Git-154)".
Version version_of(std::string_view said) {
  constexpr std::string_view before = "git version ";
  Version numbers;
  said = trim(said);
  if (!said.starts_with(before)) return numbers;
  const std::string_view rest = said.substr(before.size());
  for (const std::string& part : split(rest.substr(0, rest.find_first_not_of("0123456789.")), '.')) {
    const auto number = parse_unsigned(part);
    if (!number) break;
    numbers.push_back(*number);
  }
  return numbers;
}

std::string text_of(const Version& version) {
  std::vector<std::string> parts;
  for (const std::uint64_t number : version) parts.push_back(std::to_string(number));
  return join(parts, ".");
}

const Version oldest{2, 31};  // GIT_CONFIG_COUNT, by which settings reach git inside

std::string_view word_of(GitKind kind) {
  switch (kind) {
    case GitKind::none: return "none";
    case GitKind::directory: return "a repository";
    case GitKind::linked_worktree: return "a linked worktree";
    case GitKind::submodule: return "a submodule";
    case GitKind::linked_directory: return "a repository whose .git is a link";
    case GitKind::broken: return "not a repository";
  }
  return "";
}

bool has_repository(const GitSurroundings& git) { return git.layout.kind != GitKind::none && git.layout.kind != GitKind::broken; }

}  // namespace

Answers git_program(const Facts& facts) {
  const GitSurroundings& git = facts.git;
  if (git.program.empty()) return {failure("git is not on PATH", "agents commit with it, and so do workspaces", install_command(facts.settings.distribution, "git"))};
  if (!git.problem.empty()) return {failure("does not run: " + git.program, git.problem, install_command(facts.settings.distribution, "git"))};
  Answer answer = ok(git.program);
  answer.facts = {{"program", git.program}};
  return {answer};
}

Answers git_version(const Facts& facts) {
  if (facts.git.program.empty() || !facts.git.problem.empty()) return {skipped("git does not answer")};
  const Version version = version_of(facts.git.said);
  Answer answer = ok(text_of(version));
  if (version.empty()) answer = warning("not understood: " + std::string(trim(facts.git.said).substr(0, 80)), "it does not name its version as git does", install_command(facts.settings.distribution, "git"));
  else if (std::ranges::lexicographical_compare(version, oldest)) {
    answer = warning(text_of(version), fmt::format("before {} it does not read the settings that it is given inside: switching branches in a sandbox may fail", text_of(oldest)),
                     install_command(facts.settings.distribution, "git"));
  }
  answer.facts = {{"version", text_of(version)}};
  return {answer};
}

Answers git_repository(const Facts& facts) {
  const GitLayout& layout = facts.git.layout;
  if (layout.kind == GitKind::none) return {skipped("the current directory is in no repository")};
  if (layout.kind == GitKind::broken) return {warning("git will not work in " + layout.root, layout.problem, "git -C " + shell_word(layout.root) + " status says more; git worktree repair mends links between worktrees")};
  return {ok(fmt::format("{} at {}", word_of(layout.kind), layout.root))};
}

Answers git_safe_directory(const Facts& facts) {
  const GitSurroundings& git = facts.git;
  if (!has_repository(git)) return {skipped("the current directory is in no repository")};
  if (!git.is_foreign) return {ok("the repository is yours")};
  if (git.is_trusted) return {ok("the repository belongs to another user, and safe.directory names it")};
  return {warning("the repository belongs to another user", "git refuses to work in it (\"dubious ownership\")", "git config --global --add safe.directory " + shell_word(git.layout.root))};
}

Answers git_identity(const Facts& facts) {
  const GitSurroundings& git = facts.git;
  if (!git.name.empty() && !git.email.empty()) return {ok(fmt::format("{} <{}>", git.name, git.email))};
  const std::string missing = git.name.empty() && git.email.empty() ? "user.name and user.email are" : git.name.empty() ? "user.name is" : "user.email is";
  return {warning(missing + " not set", "git refuses to commit without them, inside as outside", "git config --global user.name \"Your Name\" && git config --global user.email you@example.org")};
}

Answers git_lfs(const Facts& facts) {
  const GitSurroundings& git = facts.git;
  if (!git.lfs_wanted) return {git.lfs_around ? ok("installed, and not used by this repository") : skipped("not used here")};
  if (git.lfs_program.empty()) return {warning("git-lfs is not on PATH", "this repository keeps large files with it: without it they are pointers", install_command(facts.settings.distribution, "git-lfs"))};
  if (git.lfs_own) return {ok("configured in the repository itself: it works inside too")};
  return {warning("configured in your own settings only", "those stay outside: inside, large files are committed whole and checked out as pointers", "git -C " + shell_word(git.layout.root) + " lfs install --local")};
}

}  // namespace paddock::doctor
