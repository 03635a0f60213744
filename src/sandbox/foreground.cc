#include "sandbox/foreground.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/core.h>

#include "base/clock.h"
#include "base/text.h"
#include "terminal/foreground_terminal.h"
#include "terminal/signal_source.h"

namespace paddock {
namespace {

using namespace protocol;

constexpr int exit_time_limit = 124;
constexpr std::uint64_t grace_ms = 1000;  // between asking the command to end and ending everything

int exit_code_of(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string_view name_of(Step step) {
  switch (step) {
    case Step::session: return "a session of its own";
    case Step::directory: return "the working directory";
    case Step::descriptors: return "its descriptors";
    case Step::limits: return "its limits";
    case Step::landlock: return "Landlock";
    case Step::filter: return "the system call filter";
    case Step::execute: return "the program";
  }
  return "an unknown step";
}

Error exec_error(const Frame& frame, const Plan& plan) {
  const std::string name = visible(plan.command.empty() ? "" : plan.command.front());
  const std::string why = std::strerror(frame.a);
  if (static_cast<Step>(frame.b) != Step::execute) {
    return error(ErrorCode::cannot_start, fmt::format("{} was not started, for a last step failed: {}: {}", name, name_of(static_cast<Step>(frame.b)), why));
  }
  if (frame.a == ENOENT || frame.a == ENOTDIR) {
    return error(ErrorCode::not_found, name + ": not found inside the sandbox");
  }
  if (frame.a == EACCES || frame.a == ENOEXEC) return error(ErrorCode::not_executable, fmt::format("{}: {}", name, why), "check its permissions and its format");
  return error(ErrorCode::not_executable, fmt::format("{}: {}", name, why));
}

class ForegroundRun {
 public:
  ForegroundRun(StartedSandbox& sandbox, const ForegroundRequest& request, terminal::SignalSource signals, terminal::UserTerminal user)
      : sandbox_(sandbox), request_(request), talk_(sandbox.control.get()), signals_(std::move(signals)), terminal_(std::move(user)) {}

  Result<void> come_up() {
    const Ready ready = TRY(wait_until_ready(sandbox_, talk_, *request_.plan, request_.start_timeout_ms));
    TRY(check_landlock(ready, request_.landlock_abi));
    master_ = talk_.take_master();
    if (!terminal_.user().any()) return {};
    if (!master_.valid()) return error(ErrorCode::cannot_start, "the sandbox has no terminal although one was asked for");
    return terminal_.start(master_.get(), {});
  }

  Result<int> run() {
    TRY(come_up());

    // From here on the sandbox is as planned, and so is the outside.

    if (!talk_.send(Kind::go)) return error(ErrorCode::cannot_start, "the sandbox ended before it was used");
    const std::uint64_t limit_ms = request_.plan->limits.wall_time_ms;
    if (limit_ms != 0) deadline_ = monotonic_ms() + limit_ms;
    while (!over_) TRY(turn());
    drain_terminal();
    terminal_.end();
    if (timed_out_) return exit_time_limit;
    return status_ ? exit_code_of(*status_) : 128 + SIGKILL;
  }

  // The command never ran: leave the terminal as it was.
  void give_up() { terminal_.end(); }

 private:
  [[nodiscard]] int wait_ms() const {
    int wait = has_terminal() ? terminal_.timeout_ms() : -1;
    if (deadline_ == 0) return wait;
    const std::uint64_t now = monotonic_ms();
    const std::uint64_t left = deadline_ > now ? deadline_ - now : 0;
    const int until = static_cast<int>(std::min<std::uint64_t>(left, 1 << 30));
    return wait < 0 ? until : std::min(wait, until);
  }

  [[nodiscard]] bool has_terminal() const { return master_.valid() && terminal_.user().any(); }

  Result<void> turn() {
    std::vector<pollfd> polls{{talk_.socket(), POLLIN, 0}, {signals_.fd(), POLLIN, 0}, {sandbox_.child.pidfd(), POLLIN, 0}};
    if (has_terminal()) terminal_.prepare(polls);
    if (request_.files != nullptr) {
      for (const auto& pump : request_.files->pumps) pump->prepare(polls);
    }
    if (request_.agent != nullptr) request_.agent->prepare(polls);
    if (::poll(polls.data(), polls.size(), wait_ms()) < 0 && errno != EINTR) return system_error("cannot wait", errno);
    if (has_terminal()) terminal_.handle(polls);
    if (request_.files != nullptr) {
      for (const auto& pump : request_.files->pumps) pump->handle();
    }
    if (request_.agent != nullptr) request_.agent->handle();
    if (polls[1].revents != 0) take_signals();
    if (polls[0].revents != 0) TRY(hear());
    else if (polls[2].revents != 0) over_ = true;  // the backend's program was killed: nothing is left to say
    check_deadline();
    return {};
  }

  Result<void> hear() {
    const auto frame = TRY(talk_.receive());
    if (!frame) {
      over_ = true;
      return {};
    }
    switch (frame->kind) {
      case Kind::started:
        for (const int signal : early_signals_) talk_.send(Kind::signal, signal);
        early_signals_.clear();
        return {};
      case Kind::exec_failed:
        return exec_error(*frame, *request_.plan);
      case Kind::stopped:
        if (!has_terminal()) return {};
        terminal_.suspend();
        talk_.send(Kind::resume);
        return {};
      case Kind::exited:
        status_ = frame->a;
        over_ = true;
        return {};
      default:
        return {};
    }
  }

  void forward(int signal) {
    if (talk_.state() == Talk::released) early_signals_.push_back(signal);
    else talk_.send(Kind::signal, signal);
  }

  void take_signals() {
    while (const auto signal = signals_.next()) {
      if (*signal == SIGWINCH) {
        if (has_terminal()) terminal_.window_changed();
      } else if (*signal == SIGCONT) {
        if (has_terminal()) terminal_.continued();
        talk_.send(Kind::resume);
      } else if (*signal == SIGTSTP) {
        forward(SIGTSTP);
        if (!has_terminal()) terminal::stop_own_job();
      } else if (terminal::is_forwarded(*signal)) {
        forward(*signal);
      }
    }
  }

  void check_deadline() {
    if (deadline_ == 0 || monotonic_ms() < deadline_) return;
    if (timed_out_) {  // it was asked, and did not end
      over_ = true;
      return;
    }
    timed_out_ = true;
    deadline_ = monotonic_ms() + grace_ms;
    forward(SIGTERM);
    talk_.send(Kind::resume);
  }

  // What the payload wrote before it ended still reaches the user.
  void drain_terminal() {
    if (!has_terminal()) return;
    terminal_.begin_finish();
    const std::uint64_t until = monotonic_ms() + terminal::settle_ms_max;
    while (!terminal_.finished() && monotonic_ms() < until) {
      std::vector<pollfd> polls;
      terminal_.prepare(polls);
      ::poll(polls.data(), polls.size(), 50);
      terminal_.handle(polls);
    }
  }

  StartedSandbox& sandbox_;
  const ForegroundRequest& request_;
  WardenTalk talk_;
  terminal::SignalSource signals_;
  Fd master_;  // outlives terminal_, which borrows it
  terminal::ForegroundTerminal terminal_;
  std::vector<int> early_signals_;
  std::uint64_t deadline_ = 0;
  bool timed_out_ = false;
  bool over_ = false;
  std::optional<int> status_;
};

}  // namespace

Result<int> run_foreground(StartedSandbox sandbox, const ForegroundRequest& request) {
  terminal::UserTerminal user = TRY(terminal::find_user_terminal());
  terminal::SignalSource signals = TRY(terminal::SignalSource::create());
  ForegroundRun run(sandbox, request, std::move(signals), std::move(user));
  Result<int> code = run.run();
  if (!code) run.give_up();
  return code;
}

}  // namespace paddock
