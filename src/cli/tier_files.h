// The files of every tier, read for one command, and the policy that they make together with its flags.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/settings_file.h"
#include "plan/workspace_choice.h"
#include "policy/tiers.h"

namespace paddock {

enum class TierState { absent, read, granted, not_looked_at };

struct TierFile {
  std::string tier;  // "ceiling", "user", "project", "repository"
  std::string path;  // empty where there is no workspace to have one
  TierState state = TierState::not_looked_at;
};

struct TierFiles {
  Tiers tiers;
  std::vector<TierFile> files;  // the four, from the most trusted
  std::string workspace;        // real; empty when none was looked for
  std::optional<RepositoryFile> repository;
  MergedTiers merged;
};

// Reads and merges. Without a sandbox, project and repository are not looked at. Errors: a file that cannot be
// read, trusted or understood (nothing runs as if it were not there), a workspace that cannot be one, and what
// merge_tiers refuses.
Result<TierFiles> read_tiers(const Context& context, const SandboxChoice& choice);

// The same with the repository's file taken as granted or not, whatever was granted.
Result<MergedTiers> merge_as(const Context& context, const TierFiles& files, Standing standing, const SandboxChoice& choice);

// How backends are chosen for what belongs to no project: by the user's settings, under the ceiling.
Result<BackendSettings> read_backend_settings(const Context& context);

// One file of Paddock's configuration directory. One that a link leads to is noted in the context.
Result<std::optional<std::string>> read_config_file(const Context& context, const std::string& name);

// What is told at the start of every run, at most tier_lines_max lines: what a repository's file asked in vain,
// and what the ceiling lowered.
inline constexpr std::size_t tier_lines_max = 8;
std::vector<std::string> tier_lines(const MergedTiers& merged, bool is_granted);
std::string in_words(const Ignored& ignored);

}  // namespace paddock
