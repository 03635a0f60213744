#include "plan/ssh_agent_view.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "plan/system_view.h"

namespace paddock {
namespace {

constexpr const char* reason = "the SSH agent";

std::string socket_named(const SshAgentInput& input) {
  const auto found = input.environment.find("SSH_AUTH_SOCK");
  return found == input.environment.end() ? std::string() : found->second;
}

// Why this socket cannot be let in; empty when it can.
std::string problem_of(const HostView& host, const SshAgentInput& input, const std::string& named) {
  if (named.empty()) return "SSH_AUTH_SOCK is not set, so there is no agent to let in";
  const std::string shown = visible(named);
  if (!path::is_absolute(named)) return fmt::format("SSH_AUTH_SOCK is {}, which is no absolute path", shown);
  const std::optional<std::string> real = host.real_path(named);
  if (!real) return fmt::format("SSH_AUTH_SOCK names {}, which does not exist: that agent has ended", shown);
  // A name in the workspace is the payload's to choose.
  if (path::is_within(path::normal(named), input.workspace) != path::is_within(*real, input.workspace)) {
    return fmt::format("SSH_AUTH_SOCK names {}, a link in the workspace that leads to {}", shown, visible(*real));
  }
  const HostFile file = host.look(*real);
  if (file.kind != FileKind::socket) return fmt::format("SSH_AUTH_SOCK names {}, which is no socket", shown);
  if (file.owner != host.user().uid) return fmt::format("SSH_AUTH_SOCK names {}, another user's socket", shown);
  if (!host.answers(*real)) return fmt::format("SSH_AUTH_SOCK names {}, where nobody answers: that agent has ended", shown);
  return {};
}

// Hosts that the user has accepted: without them ssh asks about each one, and has nobody to answer.
void claim_known_hosts(MountTable& table, const HostView& host, const SshAgentInput& input) {
  for (const std::string_view name : {".ssh/known_hosts", ".ssh/known_hosts2"}) {
    const std::string place = path::join(input.home, name);
    const std::optional<std::string> real = host.real_path(place);
    if (!real || host.look(*real).kind != FileKind::file || table.is_visible(*real)) continue;
    if (*real == place) table.show(place, host.look(place), MountAccess::read_only, Strength::read_only, "hosts that you know", input.origin);
    else claim_link_chain(table, host, place, "hosts that you know", input.origin);
  }
}

}  // namespace

Result<ShownAgent> claim_ssh_agent(MountTable& table, const HostView& host, const SshAgentInput& input) {
  const std::string named = socket_named(input);
  if (const std::string problem = problem_of(host, input, named); !problem.empty()) {
    return error(ErrorCode::cannot_start, fmt::format("{}: {}", input.origin.where, problem), "start one: eval \"$(ssh-agent)\" && ssh-add");
  }
  const std::string real = *host.real_path(named);
  if (real != path::normal(named)) claim_link_chain(table, host, path::normal(named), reason, input.origin);
  table.show(real, host.look(real), MountAccess::read_write, Strength::writable, reason, input.origin);
  claim_known_hosts(table, host, input);
  return ShownAgent{real, Relaxation{"ssh_agent", "whatever runs inside can sign in with every key of your SSH agent, as long as it runs", input.origin}};
}

void hide_ssh_agent(MountTable& table, const HostView& host, const SshAgentInput& input, const std::vector<GrantedPath>& granted) {
  const std::string named = socket_named(input);
  if (!path::is_absolute(named)) return;
  const std::string real = host.real_path(named).value_or(named);
  const bool is_granted = std::ranges::any_of(granted, [&](const GrantedPath& grant) { return grant.path == real; });
  if (is_granted || !table.is_visible(real) || host.look(real).kind != FileKind::socket) return;
  Claim claim;
  claim.strength = Strength::mask;
  claim.mount.kind = MountKind::mask_file;
  claim.mount.is_directory = false;
  claim.mount.target = real;
  claim.mount.reason = "the SSH agent: --ssh-agent lets it in";
  claim.mount.origin = {OriginKind::built_in, "built in"};
  table.claim(std::move(claim));
}

}  // namespace paddock
