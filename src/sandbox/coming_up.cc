#include "sandbox/coming_up.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/core.h>

#include "backend/brief_of.h"
#include "base/clock.h"
#include "base/text.h"
#include "sandbox/brief_for_start.h"

namespace paddock {
namespace {

using namespace protocol;

// What the backend has said so far; bounded.
std::string said_by(const StartedSandbox& sandbox) {
  char buffer[4096];
  const ssize_t n = ::read(sandbox.diagnostics.get(), buffer, sizeof buffer);
  return n <= 0 ? std::string() : std::string(trim({buffer, static_cast<std::size_t>(n)}));
}

std::string difference(const Frame& frame, const Plan& plan, const BriefInput& brief) {
  const auto index = static_cast<std::size_t>(frame.b);
  if (index >= brief.checks.size()) return "a mount is not as planned";
  const CheckRow& check = brief.checks[index];
  const std::string reason = check.mount < plan.mounts.size() ? plan.mounts[check.mount].reason : "the root";
  const std::string how = frame.c == 0 ? "is not what was planned" : fmt::format("cannot be checked ({})", std::strerror(frame.c));
  return fmt::format("{} ({}) {}: it changed while the sandbox was made", visible(check.path), reason, how);
}

std::string_view what_is_left(Remainder left) {
  switch (left) {
    case Remainder::none: break;
    case Remainder::not_first_process: return "it has no pid namespace of its own, in which the warden is the first process";
    case Remainder::capability: return "a capability is left inside";
    case Remainder::bounding_set: return "a capability is left in the bounding set inside";
    case Remainder::new_privileges: return "no_new_privs was refused";
    case Remainder::kernel_root: return "to the kernel its first process is root";
  }
  return "privileges are left inside";
}

std::string shared_namespace(int kind) {
  constexpr std::string_view names[namespace_kinds] = {"user", "pid", "ipc", "uts", "mount", "network"};
  const auto index = static_cast<std::size_t>(kind);
  return fmt::format("it has no {} namespace of its own", index < namespace_kinds ? names[index] : "");
}

std::string because(int number) { return number == 0 ? std::string() : fmt::format(": {}", std::strerror(number)); }

Error refusal(const Frame& frame, const Plan& plan) {
  switch (static_cast<Refusal>(frame.a)) {
    case Refusal::mount:
      return error(ErrorCode::cannot_start, "the sandbox is not as planned: " + difference(frame, plan, brief_of(plan)), "start again; if it stays, something on this machine replaces that path");
    case Refusal::process:
      return error(ErrorCode::cannot_start, fmt::format("the sandbox is not as planned: {}{}", what_is_left(static_cast<Remainder>(frame.b)), because(frame.c)));
    case Refusal::namespaces:
      return error(ErrorCode::cannot_start, fmt::format("the sandbox is not as planned: {}{}", shared_namespace(frame.b), because(frame.c)));
    case Refusal::filter:
      return error(ErrorCode::cannot_start, "the system call filter (seccomp) was refused" + because(frame.c));
    case Refusal::landlock:
      return error(ErrorCode::cannot_start, "Landlock refused its rules" + because(frame.c));
    case Refusal::terminal:
      return error(ErrorCode::cannot_start, "the sandbox could not open a terminal of its own", "close other terminals: the machine may be out of them (kernel.pty.max)");
    case Refusal::descriptors:
      return error(ErrorCode::cannot_start, "the sandbox could not hand over its terminal: too many descriptors of yours are on their way between programs",
                   "end the program that keeps them there; without a terminal the run works");
    default:
      return error(ErrorCode::cannot_start, "the warden refused what it was told");
  }
}

// The backend ended, or nothing came: what it said tells why.
Error failure_of(StartedSandbox& sandbox, std::string_view otherwise) {
  const std::string said = said_by(sandbox);
  return error(ErrorCode::cannot_start, said.empty() ? std::string(otherwise) : visible(said));
}

}  // namespace

Result<Ready> wait_until_ready(StartedSandbox& sandbox, WardenTalk& talk, const Plan& plan, unsigned timeout_ms) {
  const std::uint64_t deadline = monotonic_ms() + timeout_ms;
  for (;;) {
    const std::uint64_t now = monotonic_ms();
    if (now >= deadline) return failure_of(sandbox, fmt::format("the sandbox did not come up in {} s", timeout_ms / 1000));
    pollfd events[2] = {{talk.socket(), POLLIN, 0}, {sandbox.child.pidfd(), POLLIN, 0}};
    const int n = ::poll(events, 2, static_cast<int>(deadline - now));
    if (n < 0 && errno != EINTR) return system_error("cannot wait for the sandbox", errno);
    if (n <= 0) continue;
    // The program's end counts only when there is nothing more to hear: its child may hold the socket.
    if (events[0].revents == 0) return failure_of(sandbox, "the backend's program was killed before the sandbox was ready");
    auto frame = TRY(talk.receive());
    if (!frame) return failure_of(sandbox, "the sandbox ended before it was ready");
    if (frame->kind == Kind::ready) return Ready{frame->a};
    return refusal(*frame, plan);
  }
}

Result<void> check_landlock(const Ready& ready, int abi_probed) {
  if (ready.landlock_abi >= abi_probed) return {};
  return error(ErrorCode::cannot_start, fmt::format("the sandbox is not as planned: Landlock has ABI {} here, and had ABI {} when this machine was looked at", ready.landlock_abi, abi_probed));
}

Result<int> run_probe(LowerRequest lower, Result<Launch> (*by)(const LowerRequest&), const std::string& warden, unsigned timeout_s) {
  const Plan& plan = *lower.plan;
  const std::optional<Stage> stage = TRY(make_stage_for(lower));
  lower.staged = sources_of(stage);
  const Launch launch = TRY(by(lower));
  BriefInput brief = TRY(brief_for_start(plan));
  brief.flags |= brief_probe;
  StartRequest request;
  request.launch = &launch;
  request.stage = stage ? &*stage : nullptr;
  request.warden = warden;
  request.brief = write_brief(brief);
  StartedSandbox sandbox = TRY(start_launch(request));
  WardenTalk talk(sandbox.control.get());
  const Ready ready = TRY(wait_until_ready(sandbox, talk, plan, timeout_s * 1000));
  return ready.landlock_abi;
}

}  // namespace paddock
