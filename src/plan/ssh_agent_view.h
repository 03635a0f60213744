// The user's SSH agent: let in by name, as its socket alone, or kept out whatever was granted.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plan/host_view.h"
#include "plan/mount_table.h"
#include "plan/risk.h"

namespace paddock {

struct SshAgentInput {
  std::map<std::string, std::string> environment;  // the host's: SSH_AUTH_SOCK
  std::string home;
  std::string workspace;  // real
  Origin origin;          // who lets it in
};

struct ShownAgent {
  std::string socket;  // its real path
  Relaxation relaxation;
};

// Shows the agent's socket at the path that SSH_AUTH_SOCK names, and known_hosts of ~/.ssh read-only: with
// them ssh can sign in where the user has been, and never sees a key. Gives the socket, and the relaxation that
// this is. Errors (cannot_start): no variable, nothing or no socket there, another user's, one that nobody answers.
Result<ShownAgent> claim_ssh_agent(MountTable& table, const HostView& host, const SshAgentInput& input);

// Without leave: hides a socket that a grant of something around it would show. `granted`: what a person named.
void hide_ssh_agent(MountTable& table, const HostView& host, const SshAgentInput& input, const std::vector<GrantedPath>& granted);

}  // namespace paddock
