#include "terminal/foreground_terminal.h"

#include <csignal>
#include <cstdlib>

#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"
#include "terminal/session_for_tests.h"
#include "terminal/signal_source.h"

namespace paddock::terminal {
namespace {

// The job's side: a payload played by what the test writes to the slave.
struct PlayedRun {
  PtyPair pty = open_raw_pty();
  ForegroundTerminal terminal;
  explicit PlayedRun(int users) : terminal(find_user_terminal(users, users, users).value()) {
    if (!terminal.start(pty.master.get(), {}).ok()) std::abort();
  }
  void turn() {
    std::vector<pollfd> polls;
    terminal.prepare(polls);
    ::poll(polls.data(), polls.size(), 50);
    terminal.handle(polls);
  }
  void payload_writes(std::string_view bytes) {
    static_cast<void>(write_all(pty.slave.get(), bytes));
    turn();
  }
  void payload_exits() {
    pty.slave.reset();
    terminal.begin_finish();
    while (!terminal.finished()) turn();
    terminal.end();
  }
};

// What an interactive shell would find in its input after the job: bytes typed but not read.
std::string left_for_the_shell(int terminal) {
  termios settings = settings_of(terminal);
  ::cfmakeraw(&settings);
  settings.c_cc[VMIN] = 0;
  settings.c_cc[VTIME] = 2;
  ::tcsetattr(terminal, TCSANOW, &settings);
  char chunk[256];
  const ssize_t got = ::read(terminal, chunk, sizeof chunk);
  return {chunk, static_cast<std::size_t>(got > 0 ? got : 0)};
}

SessionResult run_job(const std::function<int(int)>& job, const Answer& answer) {
  return run_session(
      [&](int terminal) {
        const termios before = settings_of(terminal);
        const pid_t pid = start_job(terminal, Foreground::yes, [&] { return job(terminal); });
        std::string report = wait_for_change(pid);
        give_terminal_to(terminal, ::getpgrp());
        report += same_settings(settings_of(terminal), before) ? ", same" : ", changed";
        return report + ", left: " + left_for_the_shell(terminal);
      },
      answer);
}

TEST(ForegroundTerminal, WritesNothingOfItsOwnForAPlainProgram) {
  const SessionResult result = run_job(
      [](int terminal) {
        PlayedRun run(terminal);
        run.payload_writes("plain\r\n");
        run.payload_exits();
        return 0;
      },
      answer_status());
  EXPECT_EQ(result.report, "exited 0, same, left: ");
  EXPECT_EQ(result.screen, "plain\r\n");
}

TEST(ForegroundTerminal, UndoesWhatThePayloadLeftSet) {
  const SessionResult result = run_job(
      [](int terminal) {
        PlayedRun run(terminal);
        run.payload_writes("\x1b[?1049h\x1b[?25l");
        run.payload_exits();
        return 0;
      },
      answer_status());
  EXPECT_EQ(result.report, "exited 0, same, left: ");
  EXPECT_EQ(result.screen, "\x1b[?1049h\x1b[?25l\x1b[?1049l\x1b[?25h");
}

TEST(ForegroundTerminal, KeepsLateAnswersFromTheShell) {
  const SessionResult result = run_job(
      [](int terminal) {
        PlayedRun run(terminal);
        static_cast<void>(write_all(run.pty.slave.get(), "\x1b[c\x1b[5n\x1b[6n"));
        run.terminal.begin_finish();  // before the answers come
        run.terminal.end();
        return 0;
      },
      // To the payload's DSR 5 and its neighbours first, then to ours.
      [](std::string_view written) -> std::string {
        std::string typed;
        for (std::size_t at = 0; (at = written.find("\x1b[5n", at)) != std::string_view::npos; ++at)
          typed += "\x1b[?62;c\x1b[0n\x1b[5;5R";
        return typed;
      });
  // What follows our answer is left, since it was not asked for.
  EXPECT_EQ(result.report, "exited 0, same, left: \x1b[5;5R");
  EXPECT_TRUE(result.screen.ends_with("\x1b[5n")) << result.screen;
}

TEST(ForegroundTerminal, DrainsWithoutAnAnswerToo) {
  bool first = true;
  const SessionResult result = run_job(
      [](int terminal) {
        PlayedRun run(terminal);
        static_cast<void>(write_all(run.pty.slave.get(), "\x1b[c"));
        run.payload_exits();
        return 0;
      },
      [&](std::string_view) { return std::exchange(first, false) ? std::string("\x1b[?62;c") : std::string(); });
  EXPECT_EQ(result.report, "exited 0, same, left: ");
}

TEST(ForegroundTerminal, LeavesWhatWasTypedAheadWhenNothingWasAsked) {
  bool first = true;
  const SessionResult result = run_job(
      [](int terminal) {
        PlayedRun run(terminal);
        static_cast<void>(write_all(run.pty.slave.get(), "bye"));
        run.terminal.begin_finish();
        ::usleep(50000);  // typed meanwhile
        run.terminal.end();
        return 0;
      },
      [&](std::string_view) { return std::exchange(first, false) ? std::string("ls") : std::string(); });
  EXPECT_EQ(result.report, "exited 0, same, left: ls");
}

TEST(ForegroundTerminal, EndsWhenItsOwnerFails) {
  const SessionResult result = run_job(
      [](int terminal) {
        PlayedRun run(terminal);
        run.payload_writes("\x1b[?1049h");
        return 7;
      },
      answer_status());
  EXPECT_EQ(result.report, "exited 7, same, left: ");
  EXPECT_EQ(result.screen, "\x1b[?1049h\x1b[?1049l");
}

TEST(ForegroundTerminal, UndoesTheScreenAtAFatalSignal) {
  const SessionResult result = run_job(
      [](int terminal) {
        PlayedRun run(terminal);
        run.payload_writes("\x1b[?1049h");
        return ::raise(SIGTERM);
      },
      answer_status());
  EXPECT_EQ(result.report, "killed 15, same, left: ");
  EXPECT_EQ(result.screen, "\x1b[?1049h\x18\x1b[?1049l");
}

TEST(ForegroundTerminal, StopsWithTheTerminalRestoredAndTakesItAgain) {
  const SessionResult result = run_session(
      [](int terminal) {
        const termios before = settings_of(terminal);
        const pid_t job = start_job(terminal, Foreground::yes, [&] {
          const auto signals = SignalSource::create();
          PlayedRun run(terminal);
          run.payload_writes("\x1b[?1049h\x1b[?25l");
          run.terminal.suspend();
          if (!is_raw(terminal)) return 1;
          run.payload_writes("back");
          run.payload_exits();
          return 0;
        });
        std::string report = wait_for_change(job);
        report += same_settings(settings_of(terminal), before) ? ", same, " : ", changed, ";
        give_terminal_to(terminal, ::getpgrp());
        give_terminal_to(terminal, job);
        ::kill(-job, SIGCONT);
        report += wait_for_change(job);
        return report + (same_settings(settings_of(terminal), before) ? ", same" : ", changed");
      },
      answer_status());
  EXPECT_EQ(result.report, "stopped 20, same, exited 0, same");
  EXPECT_EQ(result.screen,
            "\x1b[?1049h\x1b[?25l" "\x1b[?1049l\x1b[?25h" "\x1b[?1049h\x1b[?25l" "back" "\x1b[?1049l\x1b[?25h");
}

TEST(ForegroundTerminal, GoesOnInTheBackgroundAfterAStopAndComesBack) {
  const SessionResult result = run_session(
      [](int terminal) {
        const termios before = settings_of(terminal);
        const pid_t job = start_job(terminal, Foreground::yes, [&] {
          const auto signals = SignalSource::create();
          PlayedRun run(terminal);
          run.payload_writes("\x1b[?1049h");
          run.terminal.suspend();
          if (run.terminal.foreground() == Foreground::yes) return 1;
          run.payload_writes("background\x1b[c");
          if (run.terminal.timeout_ms() != background_poll_ms) return 2;
          if (!eventually([&] { return run.turn(), run.terminal.foreground() == Foreground::yes; })) return 3;
          run.payload_writes("foreground");
          run.payload_exits();
          return 0;
        });
        std::string report = wait_for_change(job);
        give_terminal_to(terminal, ::getpgrp());
        ::kill(-job, SIGCONT);  // bg
        ::usleep(200000);
        report += same_settings(settings_of(terminal), before) ? ", same, " : ", changed, ";
        give_terminal_to(terminal, job);  // fg
        report += wait_for_change(job);
        return report + (same_settings(settings_of(terminal), before) ? ", same" : ", changed");
      },
      answer_status());
  EXPECT_EQ(result.report, "stopped 20, same, exited 0, same");
  EXPECT_EQ(result.screen, "\x1b[?1049h" "\x1b[?1049l" "background" "\x1b[?1049h" "foreground" "\x1b[?1049l");
}

TEST(ForegroundTerminal, HandsAnswersThatComeAtAStopToThePayload) {
  const SessionResult result = run_session(
      [](int terminal) {
        const pid_t job = start_job(terminal, Foreground::yes, [&] {
          PlayedRun run(terminal);
          static_cast<void>(write_all(run.pty.slave.get(), "\x1b[c"));
          run.terminal.suspend();
          char chunk[64];
          const ssize_t got = ::read(run.pty.slave.get(), chunk, sizeof chunk);
          return std::string_view(chunk, static_cast<std::size_t>(got)) == "\x1b[?62;c" ? 0 : 1;
        });
        std::string report = wait_for_change(job);
        ::kill(-job, SIGCONT);
        return report + ", " + wait_for_change(job);
      },
      answer_status("\x1b[?62;c"));
  EXPECT_EQ(result.report, "stopped 20, exited 0");
}

TEST(ForegroundTerminal, StaysQuietAsABackgroundJob) {
  const SessionResult result = run_session(
      [](int terminal) {
        const termios before = settings_of(terminal);
        const pid_t job = start_job(terminal, Foreground::no, [&] {
          const auto signals = SignalSource::create();
          PlayedRun run(terminal);
          run.payload_writes("x\x1b[c\x1b[5n");
          run.payload_exits();
          return 0;
        });
        const std::string end = wait_for_change(job);
        return end + (same_settings(settings_of(terminal), before) ? ", same" : ", changed");
      },
      answer_status());
  EXPECT_EQ(result.report, "exited 0, same");
  EXPECT_EQ(result.screen, "x");
}

TEST(ForegroundTerminal, ForwardsTheSizeAtTheStartAndLater) {
  const SessionResult result = run_session([](int terminal) {
    const pid_t job = start_job(terminal, Foreground::yes, [&] {
      PlayedRun run(terminal);
      winsize size{};
      ::ioctl(run.pty.slave.get(), TIOCGWINSZ, &size);
      if (size.ws_row != 24) return 1;
      const winsize larger{40, 100, 0, 0};
      ::ioctl(terminal, TIOCSWINSZ, &larger);
      run.terminal.window_changed();
      ::ioctl(run.pty.slave.get(), TIOCGWINSZ, &size);
      return size.ws_row == 40 && size.ws_col == 100 ? 0 : 2;
    });
    return wait_for_change(job);
  });
  EXPECT_EQ(result.report, "exited 0");
}

}  // namespace
}  // namespace paddock::terminal
