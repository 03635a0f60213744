#include "sandbox/file_pump.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "base/file.h"

namespace paddock {
namespace {

Fd file_with(const std::string& content) {
  char name[] = "/tmp/paddock-pump-XXXXXX";
  Fd file(::mkstemp(name));
  ::unlink(name);
  EXPECT_TRUE(write_all(file.get(), content).ok());
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

TEST(FilePump, GivesAFileThroughAPipeByteForByte) {
  const std::string content(200'000, 'x');
  const Fd file = file_with(content + "end");
  auto pump = FilePump::create(file.get(), FilePump::Direction::from_file).value();
  std::string received;
  for (int turns = 0; turns < 1000; ++turns) {
    pump->handle();
    char buffer[4096];
    const ssize_t n = ::read(pump->theirs(), buffer, sizeof buffer);
    if (n <= 0) break;
    received.append(buffer, static_cast<std::size_t>(n));
  }
  EXPECT_EQ(received, content + "end");
}

TEST(FilePump, LeavesUnreadWhatWasNotTaken) {
  const Fd file = file_with("first\nsecond\n");
  auto pump = FilePump::create(file.get(), FilePump::Direction::from_file).value();
  pump->handle();
  char buffer[6];
  ASSERT_EQ(::read(pump->theirs(), buffer, sizeof buffer), 6);
  pump->finish();
  EXPECT_EQ(::lseek(file.get(), 0, SEEK_CUR), 6);
}

TEST(FilePump, WritesWhatWasWrittenAfterTheWriterHasGone) {
  const Fd file = file_with("");
  auto pump = FilePump::create(file.get(), FilePump::Direction::to_file).value();
  ASSERT_TRUE(write_all(pump->theirs(), "out").ok());
  pump->close_theirs();
  pump->finish();
  char buffer[8];
  EXPECT_EQ(::pread(file.get(), buffer, sizeof buffer, 0), 3);
  EXPECT_EQ(pump->failure(), 0);
}

TEST(FilePump, TellsOfAFileThatTakesNothing) {
  const Fd full(::open("/dev/full", O_WRONLY));
  auto pump = FilePump::create(full.get(), FilePump::Direction::to_file).value();
  ASSERT_TRUE(write_all(pump->theirs(), "out").ok());
  pump->handle();
  EXPECT_EQ(pump->failure(), ENOSPC);
}

}  // namespace
}  // namespace paddock
