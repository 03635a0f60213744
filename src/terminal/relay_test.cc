#include "terminal/relay.h"

#include <algorithm>
#include <array>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"
#include "terminal/session_for_tests.h"
#include "terminal/user_terminal.h"
#include "terminal/window_size.h"

namespace paddock::terminal {
namespace {

constexpr std::size_t transfer_bytes = std::size_t{8} << 20;

void make_non_blocking(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

std::string text_of(std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; text.size() < bytes; ++i)
    text += std::to_string(i * 2654435761u) + " \xe2\x94\x82 \x1b[1mline\x1b[22m\r\n";
  while (text.size() > bytes || (text.back() & 0x80) != 0) text.pop_back();
  return text;
}

// The user's terminal and the payload's, with a relay between them.
struct Bench {
  PtyPair users = open_raw_pty();
  PtyPair payloads = open_raw_pty();
  UserTerminal ends = find_user_terminal(users.slave.get(), users.slave.get(), users.slave.get()).value();
  Relay relay = Relay::create({payloads.master.get(), ends.input.get(), ends.output.get()}, {}).value();

  // One turn of the loop, also when another descriptor becomes ready.
  void turn(std::vector<pollfd> others = {}) {
    std::vector<pollfd> polls = std::move(others);
    relay.prepare(polls);
    ::poll(polls.data(), polls.size(), 1000);
    relay.handle(polls);
  }

  // Writes `sent` at one end until it has come out at the other.
  std::string carry(int from, int to, std::string_view sent, std::size_t expected) {
    make_non_blocking(from);
    make_non_blocking(to);
    std::string received;
    std::array<char, 65536> chunk;
    while (received.size() < expected) {
      const ssize_t wrote = sent.empty() ? 0 : ::write(from, sent.data(), sent.size());
      if (wrote > 0) sent.remove_prefix(static_cast<std::size_t>(wrote));
      std::vector<pollfd> others{{to, POLLIN, 0}};
      if (!sent.empty()) others.push_back({from, POLLOUT, 0});
      turn(std::move(others));
      const ssize_t got = ::read(to, chunk.data(), chunk.size());
      if (got > 0) received.append(chunk.data(), static_cast<std::size_t>(got));
    }
    return received;
  }
};

TEST(Relay, CarriesOutputByteExact) {
  Bench bench;
  const std::string text = text_of(transfer_bytes);
  EXPECT_TRUE(bench.carry(bench.payloads.slave.get(), bench.users.master.get(), text, text.size()) == text);
}

TEST(Relay, CarriesInputByteExact) {
  Bench bench;
  std::string bytes(transfer_bytes, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 31 + i / 257);
  EXPECT_TRUE(bench.carry(bench.users.master.get(), bench.payloads.slave.get(), bytes, bytes.size()) == bytes);
}

TEST(Relay, FiltersOutput) {
  Bench bench;
  EXPECT_EQ(bench.carry(bench.payloads.slave.get(), bench.users.master.get(), "a\x1b]52;c;?\a\x1b[21t\x05z", 2), "az");
}

TEST(Relay, HoldsBackWhenTheUsersTerminalTakesNothing) {
  Bench bench;
  make_non_blocking(bench.payloads.slave.get());
  const std::string text = text_of(65536);
  std::size_t sent = 0;
  for (int idle = 0; idle < 20;) {
    const ssize_t wrote = ::write(bench.payloads.slave.get(), text.data(), text.size());
    idle = wrote > 0 ? 0 : idle + 1;
    if (wrote > 0) sent += static_cast<std::size_t>(wrote);
    std::vector<pollfd> polls;
    bench.relay.prepare(polls);
    ::poll(polls.data(), polls.size(), 5);
    bench.relay.handle(polls);
  }
  EXPECT_LT(sent, output_held_bytes_max + 4 * 65536);  // and what the two kernels' buffers hold
}

TEST(Relay, HoldsBackWhenThePayloadReadsNothing) {
  Bench bench;
  make_non_blocking(bench.users.master.get());
  const std::string text(65536, 'x');
  std::size_t sent = 0;
  for (int idle = 0; idle < 20;) {
    const ssize_t wrote = ::write(bench.users.master.get(), text.data(), text.size());
    idle = wrote > 0 ? 0 : idle + 1;
    if (wrote > 0) sent += static_cast<std::size_t>(wrote);
    std::vector<pollfd> polls;
    bench.relay.prepare(polls);
    ::poll(polls.data(), polls.size(), 5);
    bench.relay.handle(polls);
  }
  EXPECT_LT(sent, input_pending_bytes_max + 6 * 65536);
}

TEST(Relay, EndsWithTheLastSlaveAndWritesEverythingFirst) {
  Bench bench;
  ASSERT_TRUE(write_all(bench.payloads.slave.get(), "last words").ok());
  bench.payloads.slave.reset();
  while (!bench.relay.finished()) bench.turn();
  std::array<char, 64> chunk;
  EXPECT_EQ(std::string_view(chunk.data(),
                             static_cast<std::size_t>(::read(bench.users.master.get(), chunk.data(), chunk.size()))),
            "last words");
}

TEST(Relay, FinishesAlthoughALeftoverProcessHoldsTheSlave) {
  Bench bench;
  ASSERT_TRUE(write_all(bench.payloads.slave.get(), "last words").ok());
  bench.relay.begin_finish();
  EXPECT_TRUE(bench.relay.finished());
  std::array<char, 64> chunk;
  EXPECT_EQ(::read(bench.users.master.get(), chunk.data(), chunk.size()), 10);
}

TEST(Relay, FinishesThroughBackPressure) {
  Bench bench;
  std::string text;
  for (int i = 0; text.size() < 200000; ++i) text += std::to_string(i) + "\r\n";
  make_non_blocking(bench.payloads.slave.get());
  make_non_blocking(bench.users.master.get());
  std::size_t sent = 0;
  for (int idle = 0; idle < 20 && sent < text.size();) {  // as much as goes in while nobody reads
    const ssize_t wrote = ::write(bench.payloads.slave.get(), text.data() + sent, text.size() - sent);
    idle = wrote > 0 ? 0 : idle + 1;
    if (wrote > 0) sent += static_cast<std::size_t>(wrote);
    std::vector<pollfd> polls;
    bench.relay.prepare(polls);
    ::poll(polls.data(), polls.size(), 5);
    bench.relay.handle(polls);
  }
  bench.relay.begin_finish();
  EXPECT_FALSE(bench.relay.finished());
  std::string received;
  std::array<char, 4096> chunk;
  for (ssize_t got = 0; !bench.relay.finished() || got > 0;) {
    got = ::read(bench.users.master.get(), chunk.data(), chunk.size());
    if (got > 0) received.append(chunk.data(), static_cast<std::size_t>(got));
    if (got < 0 && !bench.relay.finished()) bench.turn();
  }
  for (ssize_t got; (got = ::read(bench.users.master.get(), chunk.data(), chunk.size())) > 0;)
    received.append(chunk.data(), static_cast<std::size_t>(got));
  EXPECT_EQ(received.size(), sent);
  EXPECT_TRUE(text.starts_with(received));
}

TEST(Relay, StopsReadingALeftoverThatNeverStopsWriting) {
  const PtyPair payloads = open_raw_pty();
  make_non_blocking(payloads.slave.get());
  Relay relay = Relay::create({payloads.master.get(), -1, -1}, {}).value();
  const std::string text(4096, 'x');
  std::size_t sent = 0;
  relay.begin_finish();
  while (sent < 2 * final_output_bytes_max) {
    const ssize_t wrote = ::write(payloads.slave.get(), text.data(), text.size());
    if (wrote <= 0) break;
    sent += static_cast<std::size_t>(wrote);
    std::vector<pollfd> polls;
    relay.prepare(polls);
    relay.handle(polls);
  }
  EXPECT_TRUE(relay.finished());
  EXPECT_LT(sent, final_output_bytes_max);
}

TEST(Relay, NoticesThatTheUsersTerminalHasGone) {
  Bench bench;
  bench.users.slave.reset();
  bench.users.master.reset();
  while (!bench.relay.terminal_gone()) bench.turn();
  ASSERT_TRUE(write_all(bench.payloads.slave.get(), "to nobody").ok());
  bench.relay.begin_finish();
  EXPECT_TRUE(bench.relay.finished());
}

TEST(Relay, TurnsAnEmptyLineEndIntoTheKey) {
  PtyPair users = open_pty();  // cooked: Ctrl-D makes a read of nothing
  PtyPair payloads = open_pty();
  UserTerminal ends = find_user_terminal(users.slave.get(), -1, -1).value();
  Relay relay = Relay::create({payloads.master.get(), ends.input.get(), -1}, {}).value();
  ASSERT_TRUE(write_all(users.master.get(), "line\n\x04").ok());
  std::string received;
  std::array<char, 64> chunk;
  make_non_blocking(payloads.slave.get());
  ssize_t got = -1;
  for (int i = 0; i < 100 && got != 0; ++i) {
    std::vector<pollfd> polls;
    relay.prepare(polls);
    ::poll(polls.data(), polls.size(), 20);
    relay.handle(polls);
    got = ::read(payloads.slave.get(), chunk.data(), chunk.size());
    if (got > 0) received.append(chunk.data(), static_cast<std::size_t>(got));
  }
  EXPECT_EQ(received, "line\n");
  EXPECT_EQ(got, 0);
}

TEST(Relay, DropsQueriesWhileNoInputIsRead) {
  Bench bench;
  bench.relay.set_input(InputFlow::paused);
  EXPECT_EQ(bench.carry(bench.payloads.slave.get(), bench.users.master.get(), "a\x1b[cz", 2), "az");
  bench.relay.set_input(InputFlow::open);
  EXPECT_EQ(bench.carry(bench.payloads.slave.get(), bench.users.master.get(), "a\x1b[cz", 5), "a\x1b[cz");
}

TEST(Relay, CountsTheStatusAnswersThatAreStillOwed) {
  Bench bench;
  bench.carry(bench.payloads.slave.get(), bench.users.master.get(), "\x1b[5n\x1b[5n", 8);
  EXPECT_EQ(bench.relay.status_answers_owed(), 2u);
  bench.carry(bench.users.master.get(), bench.payloads.slave.get(), "\x1b[0n", 4);
  EXPECT_EQ(bench.relay.status_answers_owed(), 1u);
}

TEST(WindowSize, ReachesThePayloadsTerminal) {
  const PtyPair users = open_pty();
  const PtyPair payloads = open_pty();
  winsize size{50, 132, 7, 8};
  ::ioctl(users.slave.get(), TIOCSWINSZ, &size);
  ASSERT_TRUE(forward_window_size(users.slave.get(), payloads.master.get()).ok());
  winsize seen{};
  ::ioctl(payloads.slave.get(), TIOCGWINSZ, &seen);
  EXPECT_EQ(seen.ws_row, 50);
  EXPECT_EQ(seen.ws_col, 132);
  size = {};
  ::ioctl(users.slave.get(), TIOCSWINSZ, &size);
  ASSERT_TRUE(forward_window_size(users.slave.get(), payloads.master.get()).ok());
  ::ioctl(payloads.slave.get(), TIOCGWINSZ, &seen);
  EXPECT_EQ(seen.ws_col, unknown_window_size.ws_col);
}

TEST(UserTerminal, ChoosesStreamsAndLeavesTheInheritedDescriptionsAlone) {
  const PtyPair users = open_pty();
  const Pipe pipe = make_pipe().value();
  const int tty = users.slave.get();
  const int other = pipe.write.get();
  const UserTerminal errors = find_user_terminal(pipe.read.get(), other, tty).value();
  EXPECT_EQ(errors.stream_is_terminal, (std::array{false, false, true}));
  EXPECT_FALSE(errors.input.valid());
  EXPECT_TRUE(errors.output.valid());
  EXPECT_FALSE(find_user_terminal(pipe.read.get(), other, other).value().any());
  EXPECT_NE(::fcntl(errors.output.get(), F_GETFL) & O_NONBLOCK, 0);
  EXPECT_EQ(::fcntl(tty, F_GETFL) & O_NONBLOCK, 0);
}

}  // namespace
}  // namespace paddock::terminal
