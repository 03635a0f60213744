#include "sandbox/capture.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <optional>

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

Result<StartRequest> start_request(const CaptureRequest& request, const Launch& launch, int input, int output) {
  const Plan& plan = *request.plan;
  CommandInput command;
  command.argv = plan.command;
  command.environment = environment_values(plan, request.host_environment, request.given);
  command.directory = plan.directory;
  const auto search_path = std::ranges::find(plan.environment, "PATH", &Variable::name);
  command.search_path = search_path == plan.environment.end() ? std::string(default_path) : search_path->value;
  const BriefInput brief = TRY(brief_for_start(plan));
  constexpr auto pass = StreamKind::pass;
  return StartRequest{&launch, request.warden, write_brief(brief), write_command(command), {pass, pass, pass}, {input, output, output}, {}, nullptr};
}

int exit_code_of(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

// One command under way, from its start to the end of its sandbox.
class Capture {
 public:
  Capture(StartedSandbox sandbox, const CaptureRequest& request, Fd output)
      : sandbox_(std::move(sandbox)), request_(request), talk_(sandbox_.control.get()), output_(std::move(output)) {}

  static Result<std::unique_ptr<Capture>> start(const CaptureRequest& request) {
    LowerRequest lower;
    lower.plan = request.plan;
    lower.probe = request.probe;
    lower.empty_file = TRY(empty_file_in(request.state_directory));
    std::optional<Stage> stage = TRY(make_stage_for(lower));
    lower.staged = sources_of(stage);
    const Launch launch = TRY(request.backend->lower(lower));
    Pipe said = TRY(make_pipe());
    const Fd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!nothing.valid()) return system_error("cannot open /dev/null", errno);
    StartRequest start = TRY(start_request(request, launch, nothing.get(), said.write.get()));
    start.stage = stage ? &*stage : nullptr;
    StartedSandbox sandbox = TRY(start_launch(start));
    ::fcntl(said.read.get(), F_SETFL, O_NONBLOCK);
    return std::make_unique<Capture>(std::move(sandbox), request, std::move(said.read));
  }

  void come_up() { note(wait_and_go()); }

  [[nodiscard]] bool is_over() const { return is_over_; }
  [[nodiscard]] std::uint64_t deadline() const { return deadline_; }

  // Two entries; a closed output is passed over by poll(2).
  void prepare(std::vector<pollfd>& polls) const {
    polls.push_back({talk_.socket(), POLLIN, 0});
    polls.push_back({output_.valid() ? output_.get() : -1, POLLIN, 0});
  }

  void handle(const pollfd* mine) {
    if (mine[1].revents != 0) read_more();
    if (mine[0].revents != 0) note(hear());
    if (is_over_) read_more();
  }

  // What has ended is heard before the time is looked at.
  void check_deadline(std::uint64_t now) {
    if (is_over_ || now < deadline_) return;
    captured_.too_slow = is_over_ = true;
    read_more();
  }

  // Everything inside begins to end.
  void let_go() { sandbox_.control.reset(); }

  Result<Captured> take() {
    if (failure_) return std::move(*failure_);
    return std::move(captured_);
  }

 private:
  void note(Result<void> done) {
    if (done) return;
    failure_ = std::move(done).failure();
    is_over_ = true;
  }

  Result<void> wait_and_go() {
    const Ready ready = TRY(wait_until_ready(sandbox_, talk_, *request_.plan, start_timeout_ms));
    TRY(check_landlock(ready, request_.probe->landlock_abi));
    if (!talk_.send(Kind::go)) return error(ErrorCode::cannot_start, "the sandbox ended before it was used");
    deadline_ = monotonic_ms() + request_.timeout_ms;
    return {};
  }

  Result<void> hear() {
    const auto frame = TRY(talk_.receive());
    if (frame && frame->kind == Kind::exec_failed) {
      const bool is_absent = frame->a == ENOENT || frame->a == ENOTDIR;
      return error(is_absent ? ErrorCode::not_found : ErrorCode::not_executable, std::strerror(frame->a));
    }
    is_over_ = !frame || frame->kind == Kind::exited;
    if (is_over_) captured_.exit_code = frame ? exit_code_of(frame->a) : 128 + SIGKILL;
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

  StartedSandbox sandbox_;
  const CaptureRequest& request_;
  WardenTalk talk_;
  Fd output_;
  std::uint64_t deadline_ = 0;
  Captured captured_;
  std::optional<Error> failure_;
  bool is_over_ = false;
};

using Started = Result<std::unique_ptr<Capture>>;

std::vector<Capture*> still_running(std::vector<Started>& all) {
  std::vector<Capture*> running;
  for (Started& one : all) {
    if (one.ok() && !one.value()->is_over()) running.push_back(one.value().get());
  }
  return running;
}

// One look at all that are running; false when none is.
bool turn(std::vector<Started>& all) {
  const std::vector<Capture*> running = still_running(all);
  if (running.empty()) return false;
  std::vector<pollfd> polls;
  std::uint64_t soonest = ~std::uint64_t{0};
  for (const Capture* one : running) {
    one->prepare(polls);
    soonest = std::min(soonest, one->deadline());
  }
  const std::uint64_t now = monotonic_ms();
  ::poll(polls.data(), polls.size(), soonest > now ? static_cast<int>(soonest - now) : 0);
  for (std::size_t i = 0; i < running.size(); ++i) running[i]->handle(&polls[2 * i]);
  for (Capture* one : running) one->check_deadline(monotonic_ms());
  return true;
}

// At most together_max of them.
void run_batch(std::span<const CaptureRequest> requests, std::vector<Result<Captured>>& answers) {
  std::vector<Started> all;
  for (const CaptureRequest& request : requests) all.push_back(Capture::start(request));
  for (Started& one : all) {
    if (one.ok()) one.value()->come_up();
  }
  while (turn(all)) {
  }
  // All begin to end before the first is waited for: what waits takes care of every child that is left.
  for (Started& one : all) {
    if (one.ok()) one.value()->let_go();
  }
  for (Started& one : all) {
    if (one.ok()) answers.push_back(one.value()->take());
    else answers.emplace_back(std::move(one).failure());
  }
}

}  // namespace

std::vector<Result<Captured>> capture_together(std::span<const CaptureRequest> requests) {
  std::vector<Result<Captured>> answers;
  while (!requests.empty()) {
    const std::size_t count = std::min(requests.size(), together_max);
    run_batch(requests.first(count), answers);
    requests = requests.subspan(count);
  }
  return answers;
}

Result<Captured> capture(const CaptureRequest& request) { return std::move(capture_together({&request, 1}).front()); }

}  // namespace paddock
