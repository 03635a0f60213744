// The generated git configuration of a sandbox that does not see the user's own: an allowlist of keys
// with the values that hold for this repository.
#pragma once

#include "plan/mount_table.h"

namespace paddock {

struct IdentityInput {
  const GitLayout& layout;
  const std::string& workspace;
  const std::string& home;
};

// Claims ~/.gitconfig unless home itself is shown. Notes about what the user's git does on the host and
// will not do inside.
std::vector<std::string> claim_git_identity(MountTable& table, const HostView& host, const IdentityInput& input);

}  // namespace paddock
