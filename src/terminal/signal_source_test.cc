#include "terminal/signal_source.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace paddock::terminal {
namespace {

// In a child, so that the dispositions of the test program stay.
int exit_status_of(int (*body)()) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(SignalSource, DeliversEachWatchedSignal) {
  EXPECT_EQ(exit_status_of([] {
              auto source = SignalSource::create();
              for (const int signal :
                   {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT, SIGTSTP}) {
                ::raise(signal);
                if (source->next() != signal) return signal;
              }
              return source->next().has_value() ? 1 : 0;
            }),
            0);
}

TEST(SignalSource, LeavesIgnoredSignalsIgnored) {
  EXPECT_EQ(exit_status_of([] {
              ::signal(SIGHUP, SIG_IGN);
              auto source = SignalSource::create();
              ::raise(SIGHUP);
              return source->next().has_value() ? 1 : 0;
            }),
            0);
}

TEST(SignalSource, IgnoresTerminalStopsWhileItLives) {
  EXPECT_EQ(exit_status_of([] {
              {
                auto source = SignalSource::create();
                ::raise(SIGTTOU);
                ::raise(SIGTTIN);
                ::raise(SIGPIPE);
              }
              ::raise(SIGTERM);  // its default action is back
              return 0;
            }),
            128 + SIGTERM);
}

TEST(SignalSource, ForwardsTheSignalsThatAreMeantForThePayload) {
  EXPECT_TRUE(is_forwarded(SIGUSR2));
  EXPECT_FALSE(is_forwarded(SIGWINCH));
  EXPECT_FALSE(is_forwarded(SIGTSTP));
}

}  // namespace
}  // namespace paddock::terminal
