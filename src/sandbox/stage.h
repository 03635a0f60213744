// What a start by real root hands to the backend, whose program then runs without root's rights: every
// source that the plan binds as a mount of its own, on a small file system that only that program sees. To
// it root's private directories are closed, and the payload is to have the owners' rights without being
// root to the kernel (sandbox/idmap.h).
//
// A bind that may be written gets a tree of its own, mapped for its own owner. A read-only one below another
// is reached through that.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/spawn.h"
#include "plan/plan.h"

namespace paddock {

enum class AbsentSource {
  refuse,
  skip,  // for a look without a start: some of it a run creates first
};

struct StageRequest {
  const Plan* plan = nullptr;
  std::string empty_file;  // the source of file masks; may be empty when the plan has none
  std::string program;     // the backend's: the stage covers no directory that holds it
  AbsentSource absent = AbsentSource::refuse;
};

// May be let go as soon as the start has been made.
struct Stage {
  StagedSources sources;  // for lowering
  SpawnStage spawn;       // for the start; borrows the descriptors below
  Fd file_system;
  std::vector<Fd> trees;
  // A plan with an SSH agent shows a socket of ours in its place (sandbox/socket_relay.h): which one, for the
  // comparison of mounts, and who listens there.
  FileIdentity agent;
  Fd agent_listener;
};

// Errors: a source that is absent or was replaced; a tree that cannot be idmapped, with the fix; no
// CAP_SYS_ADMIN; more than stage_trees_max trees.
Result<Stage> make_stage(const StageRequest& request);

// Where the plan's kernel uid is dropped; nothing otherwise.
Result<std::optional<Stage>> make_stage_for(const LowerRequest& lower);
// For lowering; borrowed. Null without a stage.
inline const StagedSources* sources_of(const std::optional<Stage>& stage) { return stage ? &stage->sources : nullptr; }

inline constexpr std::size_t stage_trees_max = 500;  // each is a descriptor until the start

}  // namespace paddock
