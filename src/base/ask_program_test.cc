#include "base/ask_program.h"

#include <signal.h>
#include <sys/wait.h>

#include <gtest/gtest.h>

namespace paddock {
namespace {

AskRequest shell(const std::string& script) {
  AskRequest request;
  request.program = "/bin/sh";
  request.arguments = {"-c", script};
  request.environment = {"PATH=/usr/bin:/bin"};
  request.timeout_ms = 60'000;
  return request;
}

TEST(AskProgram, GivesWhatIsSaidOnBothOutputsAndTheStatus) {
  const auto asked = ask_program(shell("echo out; echo err >&2; exit 3"));
  ASSERT_TRUE(asked.ok());
  EXPECT_EQ(asked->said, "out\nerr\n");
  EXPECT_EQ(WEXITSTATUS(asked->status), 3);
}

TEST(AskProgram, GivesNothingToRead) { EXPECT_EQ(ask_program(shell("cat; pwd"))->said, "/\n"); }

TEST(AskProgram, KeepsABoundedPartOfALongAnswer) {
  AskRequest request = shell("head -c 300000 /dev/zero | tr '\\0' x");
  request.bytes_max = 1000;
  const auto asked = ask_program(request);
  ASSERT_TRUE(asked.ok());
  EXPECT_EQ(asked->said, std::string(1000, 'x'));
  EXPECT_EQ(asked->status, 0);
}

TEST(AskProgram, DoesNotWaitForWhatIsLeftBehind) {
  // Without the kill of its group the pipe would stay open for an hour.
  const auto asked = ask_program(shell("sleep 3600 & echo done"));
  ASSERT_TRUE(asked.ok());
  EXPECT_EQ(asked->said, "done\n");
}

TEST(AskProgram, EndsOneThatDoesNotEnd) {
  AskRequest request = shell("echo begun; sleep 3600");
  request.timeout_ms = 200;
  const auto asked = ask_program(request);
  ASSERT_FALSE(asked.ok());
  EXPECT_EQ(asked.failure().message, "/bin/sh gave no answer within 200 ms");
}

TEST(AskProgram, TellsOfAnAbsentOne) {
  AskRequest request;
  request.program = "/no/such/program";
  const auto asked = ask_program(request);
  ASSERT_FALSE(asked.ok());
  EXPECT_EQ(asked.failure().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace paddock
