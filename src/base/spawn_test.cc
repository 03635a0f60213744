#include "base/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
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

// A file system in memory with one tree on it: what the child finds where it is attached, and as whom.
TEST(Spawn, OnAStageSeesItsTreesUnderAnotherIdWithoutRights) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give up root";
  const Fd context(::fsopen("tmpfs", FSOPEN_CLOEXEC));
  ::fsconfig(context.get(), FSCONFIG_SET_STRING, "mode", "0711", 0);
  ::fsconfig(context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0);
  const Fd file_system(::fsmount(context.get(), FSMOUNT_CLOEXEC, 0));
  const Fd tree(::open_tree(AT_FDCWD, "/usr", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC));
  if (!file_system.valid() || !tree.valid()) GTEST_SKIP() << "no mounts by descriptor here";
  ASSERT_EQ(::mkdirat(file_system.get(), "here", 0700), 0);
  constexpr uid_t id = 2013265921;
  const SpawnStage stage{file_system.get(), "/tmp", {{tree.get(), "here"}}, id};
  SpawnRequest request;
  request.stage = &stage;
  const std::string words = output_of(std::move(request), "id -u; id -g; id -G; test -d /tmp/here/bin && echo tree; ls /tmp 2>&1 | grep -c denied; grep -E '^Cap(Inh|Prm|Eff|Amb)' /proc/self/status | sort -u -k2 | wc -l");
  const std::string number = std::to_string(id);
  EXPECT_EQ(words, number + "\n" + number + "\n" + number + "\ntree\n1\n1\n");
  EXPECT_NE(::access("/tmp/here/bin", F_OK), 0);  // not in our own view
  EXPECT_EQ(::geteuid(), 0u);
}

}  // namespace
}  // namespace paddock
