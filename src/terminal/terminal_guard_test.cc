#include "terminal/terminal_guard.h"

#include <csignal>
#include <cstdlib>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "terminal/emergency_restore.h"
#include "terminal/session_for_tests.h"

namespace paddock::terminal {
namespace {

std::string changed_or_same(int terminal, const termios& before) {
  return same_settings(settings_of(terminal), before) ? "same" : "changed";
}

// A foreground job takes the terminal, is raw, and ends as `ending` does: how it ended, and the settings.
SessionResult guarded_job_that(const std::function<int()>& ending) {
  return run_session([&](int terminal) {
    const termios before = settings_of(terminal);
    const pid_t job = start_job(terminal, Foreground::yes, [&] {
      const rlimit no_core{0, 0};
      ::setrlimit(RLIMIT_CORE, &no_core);
      emergency::install_handlers();
      auto guard = TerminalGuard::take(terminal, GuardMode::raw);
      if (!guard.ok() || !is_raw(terminal)) return 99;
      emergency::set_undo(terminal, "\x1b[?1049l");
      return ending();
    });
    const std::string end = wait_for_change(job);
    return end + ", " + changed_or_same(terminal, before);
  });
}

TEST(TerminalGuard, RestoresWhenItGoes) {
  const SessionResult result = guarded_job_that([] { return 3; });
  EXPECT_EQ(result.report, "exited 3, same");
  EXPECT_EQ(result.screen, "");
}

TEST(TerminalGuard, RestoresSettingsAndScreenAtFatalSignals) {
  for (const int signal : {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGUSR1, SIGALRM, SIGXCPU, SIGSYS, SIGTRAP}) {
    const SessionResult result = guarded_job_that([signal] { return ::raise(signal); });
    EXPECT_EQ(result.report, "killed " + std::to_string(signal) + ", same");
    EXPECT_EQ(result.screen, "\x18\x1b[?1049l");
  }
}

TEST(TerminalGuard, RestoresAtAbort) {
  EXPECT_EQ(guarded_job_that([]() -> int { std::abort(); }).report, "killed 6, same");
}

TEST(TerminalGuard, RestoresAtFaults) {
  // A sanitizer's handler comes second and turns the fault into an exit.
  const SessionResult result = guarded_job_that([] { return ::raise(SIGSEGV); });
  EXPECT_TRUE(result.report.ends_with(", same")) << result.report;
  EXPECT_TRUE(result.screen.starts_with("\x18\x1b[?1049l")) << result.screen;
}

TEST(TerminalGuard, LeavesIgnoredSignalsIgnored) {
  const SessionResult result = run_session([](int terminal) {
    const pid_t job = start_job(terminal, Foreground::yes, [] {
      ::signal(SIGHUP, SIG_IGN);
      emergency::install_handlers();
      ::raise(SIGHUP);
      return 4;
    });
    return wait_for_change(job);
  });
  EXPECT_EQ(result.report, "exited 4");
}

TEST(TerminalGuard, KeepsLinesModeCooked) {
  const SessionResult result = run_session([](int terminal) {
    const pid_t job = start_job(terminal, Foreground::yes, [&] {
      auto guard = TerminalGuard::take(terminal, GuardMode::lines);
      return guard.ok() && !is_raw(terminal) ? 0 : 1;
    });
    return wait_for_change(job);
  });
  EXPECT_EQ(result.report, "exited 0");
}

TEST(TerminalGuard, LeavesTheTerminalAloneInTheBackgroundAndGoesRawInTheForeground) {
  const SessionResult result = run_session([](int terminal) {
    const termios before = settings_of(terminal);
    const pid_t job = start_job(terminal, Foreground::no, [&] {
      auto guard = TerminalGuard::take(terminal, GuardMode::raw);
      if (!guard.ok() || guard->foreground() == Foreground::yes) return 1;
      // As ForegroundTerminal's loop does; a shell's `fg` of a running job sends nothing.
      if (!eventually([&] { return guard->update() == Foreground::yes; })) return 2;
      return is_raw(terminal) ? 0 : 3;
    });
    ::usleep(50000);
    std::string report = changed_or_same(terminal, before);
    give_terminal_to(terminal, job);
    report += ", " + wait_for_change(job);
    return report + ", " + changed_or_same(terminal, before);
  });
  EXPECT_EQ(result.report, "same, exited 0, same");
}

TEST(TerminalGuard, DoesNotRestoreAnotherJobsTerminal) {
  const SessionResult result = run_session([](int terminal) {
    const pid_t job = start_job(terminal, Foreground::yes, [&] {
      auto guard = TerminalGuard::take(terminal, GuardMode::raw);
      ::raise(SIGSTOP);
      return guard->update() == Foreground::no ? 0 : 1;
    });
    std::string report = wait_for_change(job);
    give_terminal_to(terminal, ::getpgrp());
    termios shells = settings_of(terminal);
    shells.c_lflag = ECHO;
    ::tcsetattr(terminal, TCSANOW, &shells);
    ::kill(-job, SIGCONT);  // as `bg` does
    report += ", " + wait_for_change(job);
    return report + ", " + changed_or_same(terminal, shells);
  });
  EXPECT_EQ(result.report, "stopped 19, exited 0, same");
}

TEST(TerminalGuard, TakesTheTerminalAgainAfterAStopFromOutside) {
  const SessionResult result = run_session([](int terminal) {
    const termios before = settings_of(terminal);
    const pid_t job = start_job(terminal, Foreground::yes, [&] {
      auto guard = TerminalGuard::take(terminal, GuardMode::raw);
      ::raise(SIGSTOP);
      guard->update();
      return is_raw(terminal) ? 0 : 1;
    });
    std::string report = wait_for_change(job);
    ::tcsetattr(terminal, TCSANOW, &before);  // as a shell does
    ::kill(-job, SIGCONT);
    report += ", " + wait_for_change(job);
    return report + ", " + changed_or_same(terminal, before);
  });
  EXPECT_EQ(result.report, "stopped 19, exited 0, same");
}

TEST(StopOwnJob, StopsTheWholeGroupAndReturnsWhenContinued) {
  const SessionResult result = run_session([](int terminal) {
    const pid_t job = start_job(terminal, Foreground::yes, [] {
      stop_own_job();
      return 5;
    });
    std::string report = wait_for_change(job);
    ::kill(-job, SIGCONT);
    return report + ", " + wait_for_change(job);
  });
  EXPECT_EQ(result.report, "stopped 20, exited 5");
}

TEST(StopOwnJob, ReturnsAtOnceWhereNobodyCouldContinueIt) {
  const SessionResult result = run_session([](int) {
    stop_own_job();  // the session's leader: its group is orphaned
    return std::string("went on");
  });
  EXPECT_EQ(result.report, "went on");
}

}  // namespace
}  // namespace paddock::terminal
