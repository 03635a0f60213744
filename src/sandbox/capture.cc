#include "sandbox/capture.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/clock.h"
#include "base/text.h"
#include "sandbox/brief_for_start.h"
#include "sandbox/coming_up.h"
#include "sandbox/run.h"

namespace paddock {
namespace {

using namespace protocol;

constexpr unsigned start_timeout_ms = 20'000;  // of the sandbox, before the command's own time begins
constexpr std::string_view default_path = "/usr/local/bin:/usr/bin:/bin";

Result<StartRequest> start_request(const Plan& plan, const Launch& launch, const std::string& warden, int input, int output) {
  CommandInput command;
  command.argv = plan.command;
  command.environment = environment_values(plan, {}, {});
  command.directory = plan.directory;
  const auto search_path = std::ranges::find(plan.environment, "PATH", &Variable::name);
  command.search_path = search_path == plan.environment.end() ? std::string(default_path) : search_path->value;
  const BriefInput brief = TRY(brief_for_start(plan));
  constexpr auto pass = StreamKind::pass;
  return StartRequest{&launch, warden, write_brief(brief), write_command(command), {pass, pass, pass}, {input, output, output}};
}

int exit_code_of(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

class Capture {
 public:
  Capture(StartedSandbox& sandbox, const CaptureRequest& request, Fd output)
      : sandbox_(sandbox), request_(request), talk_(sandbox.control.get()), output_(std::move(output)) {}

  Result<Captured> run() {
    const Ready ready = TRY(wait_until_ready(sandbox_, talk_, *request_.plan, start_timeout_ms));
    TRY(check_landlock(ready, request_.probe->landlock_abi));
    if (!talk_.send(Kind::go)) return error(ErrorCode::cannot_start, "the sandbox ended before it was used");
    deadline_ = monotonic_ms() + request_.timeout_ms;
    while (!ended_ && !captured_.too_slow) TRY(turn());
    read_more();
    return std::move(captured_);
  }

 private:
  Result<void> turn() {
    const std::uint64_t now = monotonic_ms();
    captured_.too_slow = now >= deadline_;
    if (captured_.too_slow) return {};
    pollfd polls[2]{{talk_.socket(), POLLIN, 0}, {output_.get(), POLLIN, 0}};
    if (::poll(polls, output_.valid() ? 2 : 1, static_cast<int>(deadline_ - now)) < 0 && errno != EINTR) return system_error("cannot wait", errno);
    if (polls[1].revents != 0) read_more();
    if (polls[0].revents == 0) return {};
    const auto frame = TRY(talk_.receive());
    if (frame && frame->kind == Kind::exec_failed) return error(ErrorCode::not_executable, std::strerror(frame->a));
    ended_ = !frame || frame->kind == Kind::exited;
    if (ended_) captured_.exit_code = frame ? exit_code_of(frame->a) : 128 + SIGKILL;
    return {};
  }

  // Until nothing is there now; closed at the end.
  void read_more() {
    char buffer[16384];
    while (output_.valid()) {
      const ssize_t n = ::read(output_.get(), buffer, sizeof buffer);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) return;
      if (n <= 0) return output_.reset();
      captured_.text.append(buffer, std::min(static_cast<std::size_t>(n), captured_bytes_max - captured_.text.size()));
    }
  }

  StartedSandbox& sandbox_;
  const CaptureRequest& request_;
  WardenTalk talk_;
  Fd output_;
  std::uint64_t deadline_ = 0;
  Captured captured_;
  bool ended_ = false;
};

}  // namespace

Result<Captured> capture(const CaptureRequest& request) {
  LowerRequest lower;
  lower.plan = request.plan;
  lower.probe = request.probe;
  lower.empty_file = TRY(empty_file_in(request.state_directory));
  const Launch launch = TRY(request.backend->lower(lower));
  Pipe said = TRY(make_pipe());
  const Fd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!nothing.valid()) return system_error("cannot open /dev/null", errno);
  const StartRequest start = TRY(start_request(*request.plan, launch, request.warden, nothing.get(), said.write.get()));
  StartedSandbox sandbox = TRY(start_launch(start));
  said.write.reset();
  ::fcntl(said.read.get(), F_SETFL, O_NONBLOCK);
  return Capture(sandbox, request, std::move(said.read)).run();
}

}  // namespace paddock
