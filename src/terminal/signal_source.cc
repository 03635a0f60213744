#include "terminal/signal_source.h"

#include <cerrno>

#include <sys/signalfd.h>
#include <unistd.h>

namespace paddock::terminal {
namespace {

// A blocked signal is queued even when it is ignored, and signalfd would report it.
bool is_ignored(int signal) {
  struct sigaction action {};
  ::sigaction(signal, nullptr, &action);
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t watched_signals() {
  sigset_t set{};
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGWINCH);
  ::sigaddset(&set, SIGCONT);
  if (!is_ignored(SIGTSTP)) ::sigaddset(&set, SIGTSTP);
  for (const int signal : forwarded_signals) {
    if (!is_ignored(signal)) ::sigaddset(&set, signal);
  }
  return set;
}

}  // namespace

Result<SignalSource> SignalSource::create() {
  SignalSource source;
  const sigset_t set = watched_signals();
  source.fd_ = Fd(::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
  if (!source.fd_.valid()) return system_error("opening a descriptor for signals", errno);
  ::pthread_sigmask(SIG_BLOCK, &set, &source.former_mask_);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  for (std::size_t i = 0; i < ignored_signals.size(); ++i) {
    ::sigaction(ignored_signals[i], &ignore, &source.former_[i]);
  }
  return source;
}

SignalSource::SignalSource(SignalSource&& other) noexcept
    : fd_(std::move(other.fd_)), former_mask_(other.former_mask_), former_(other.former_) {}

SignalSource::~SignalSource() {
  if (!fd_.valid()) return;
  for (std::size_t i = 0; i < ignored_signals.size(); ++i) ::sigaction(ignored_signals[i], &former_[i], nullptr);
  ::pthread_sigmask(SIG_SETMASK, &former_mask_, nullptr);
}

std::optional<int> SignalSource::next() {
  signalfd_siginfo info{};
  ssize_t got = 0;
  do {
    got = ::read(fd_.get(), &info, sizeof info);
  } while (got < 0 && errno == EINTR);
  if (got != sizeof info) return std::nullopt;
  return static_cast<int>(info.ssi_signo);
}

}  // namespace paddock::terminal
