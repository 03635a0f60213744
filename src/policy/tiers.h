// The files that say what a sandbox may do, by how far they are trusted, made one policy. Pure: the texts
// were read, and the grant of a repository's file was looked up, by the caller (cli/settings.h).
//
//   ceiling     /etc/paddock/config.toml: nobody exceeds it
//   flags       of this command: what the person says now
//   project     the person's own settings for one project, kept with theirs
//   user        the person's settings
//   profile     the one that flag, project, granted repository or user name, in this order
//   repository  .paddock.toml: tightens by itself; what it asks beyond counts once its content was granted
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "policy/ceiling.h"
#include "policy/load.h"
#include "policy/profile.h"
#include "policy/sandbox_flags.h"
#include "policy/tighten.h"

namespace paddock {

enum class Standing { ungranted, granted };  // of a repository's file

struct Tiers {
  Ceiling ceiling;
  PolicyFile user;
  PolicyFile project;
  PolicyFile repository;
};

struct MergedTiers {
  std::string profile;
  Origin profile_origin;           // built in when nobody names one
  Policy policy;                   // whole: every scalar but the limits is stated; under the ceiling
  std::vector<Ignored> ignored;    // of the repository's file, with what stands instead
  std::vector<Ignored> ungrantable;  // of it too: what no grant can give
  std::vector<Breach> lowered;     // by the ceiling, of files and profiles
  BackendSettings backends;
  bool sandboxed = true;
  Origin unsandboxed_by;
};

// Lists are added to each other in the order user, repository, project, flags. Of the words, a flag's stands over
// everything below the ceiling; the repository's stands where it is tighter than what the others make; of
// the rest the project's stands over a granted repository's and that over the user's.
// Errors: usage for an unknown profile of a flag, else cannot_start; one for everything that flags ask
// beyond the ceiling.
struct TierContext {
  ProfileReader profiles;
  GuaranteeNames guarantees;  // that profiles may name
  Places places;
};
Result<MergedTiers> merge_tiers(const Tiers& tiers, Standing repository, const SandboxChoice& choice, const TierContext& context);

}  // namespace paddock
