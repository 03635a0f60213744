#include "base/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include <gtest/gtest.h>

#include "base/file.h"

namespace paddock {
namespace {

// Runs `script` with sh; what it wrote to descriptor 1.
std::string output_of(SpawnRequest request, const std::string& script) {
  Pipe pipe = make_pipe().value();
  request.program_path = "/bin/sh";
  request.argv = {"sh", "-c", script};
  request.descriptors.push_back({pipe.write.get(), 1});
  Result<Child> child = spawn(request);
  EXPECT_TRUE(child.ok());
  pipe.write.reset();
  std::string output = read_all(pipe.read.get()).value();
  child->wait();
  return output;
}

TEST(Spawn, GivesExactlyTheListedDescriptors) {
  const Fd stray(::open("/dev/null", O_RDONLY));  // not close-on-exec: still must not get in
  const std::string listed = output_of({}, "for f in /proc/self/fd/*; do echo ${f##*/}; done");
  EXPECT_EQ(listed, "0\n1\n");  // 1, and the one (0) that the shell opened to list them
}

TEST(Spawn, SwapsDescriptorsThatCollide) {
  Pipe a = make_pipe().value();
  Pipe b = make_pipe().value();
  SpawnRequest request;
  request.descriptors = {{a.write.get(), b.write.get()}, {b.write.get(), a.write.get()}};
  const std::string script = "echo one >&" + std::to_string(a.write.get()) + "; echo two >&" + std::to_string(b.write.get());
  output_of(std::move(request), script);
  a.write.reset();
  b.write.reset();
  EXPECT_EQ(read_all(a.read.get()).value(), "two\n");
  EXPECT_EQ(read_all(b.read.get()).value(), "one\n");
}

TEST(Spawn, GivesExactlyTheListedEnvironment) {
  SpawnRequest request;
  request.environment = {"A=1"};
  EXPECT_EQ(output_of(std::move(request), "/usr/bin/env | /bin/grep -v -e ^PWD= -e ^_= -e ^SHLVL= "), "A=1\n");
}

TEST(Spawn, StartsInASessionOfItsOwn) {
  EXPECT_EQ(output_of({}, "set -- $(cat /proc/self/stat); test $6 = $$ && echo own"), "own\n");
}

TEST(Spawn, NamesWhatCannotBeExecuted) {
  SpawnRequest request;
  request.program_path = "/nonexistent/program";
  request.argv = {"program"};
  const auto absent = spawn(request);
  ASSERT_FALSE(absent.ok());
  EXPECT_EQ(absent.failure().code, ErrorCode::not_found);
  request.program_path = "/etc/passwd";
  const auto plain = spawn(request);
  ASSERT_FALSE(plain.ok());
  EXPECT_EQ(plain.failure().code, ErrorCode::not_executable);
}

TEST(Spawn, ExecutesTheDescriptorThatWasChecked) {
  const Fd program(::open("/bin/true", O_PATH | O_CLOEXEC));
  SpawnRequest request;
  request.program = program.get();
  request.argv = {"true"};
  auto child = spawn(request);
  ASSERT_TRUE(child.ok()) << child.failure().message;
  EXPECT_EQ(child->wait(), 0);
}

TEST(Spawn, AChildThatIsLetGoIsKilledAndReaped) {
  SpawnRequest request;
  request.program_path = "/bin/sleep";
  request.argv = {"sleep", "600"};
  pid_t pid = -1;
  {
    auto child = spawn(request);
    ASSERT_TRUE(child.ok());
    pid = child->pid();
    EXPECT_EQ(child->poll(), std::nullopt);
  }
  EXPECT_EQ(::kill(pid, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST(Spawn, RestoresIgnoredSignals) {
  ::signal(SIGPIPE, SIG_IGN);
  const std::string ignored = output_of({}, "grep SigIgn /proc/self/status");
  ::signal(SIGPIPE, SIG_DFL);
  EXPECT_EQ(ignored, "SigIgn:\t0000000000000000\n");
}

}  // namespace
}  // namespace paddock
