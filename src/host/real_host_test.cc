#include "host/real_host.h"

#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include "host/host_test_support.h"

namespace paddock {
namespace {

TEST(RealHost, LooksWithoutFollowing) {
  const TemporaryTree tree;
  const std::map<std::string, std::string> environment;
  const RealHost host(environment, "/");
  const std::string file = tree.file("a\nb", "x", 0640);
  tree.link("l", "a\nb");
  ASSERT_EQ(::mkfifo((tree / "fifo").c_str(), 0600), 0);
  ASSERT_EQ(::link(file.c_str(), (tree / "second").c_str()), 0);
  struct stat status {};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);

  const HostFile seen = host.look(file);
  EXPECT_EQ(seen.kind, FileKind::file);
  EXPECT_EQ(seen.identity.device, std::uint64_t{major(status.st_dev)} << 32 | minor(status.st_dev));
  EXPECT_EQ(seen.identity.inode, status.st_ino);
  EXPECT_EQ(seen.owner, ::geteuid());
  EXPECT_EQ(seen.mode, 0640u);
  EXPECT_EQ(seen.links, 2u);
  EXPECT_EQ(host.look(tree / "l").kind, FileKind::link);
  EXPECT_EQ(host.look(tree / "l").link_target, "a\nb");
  EXPECT_EQ(host.look(tree / "fifo").kind, FileKind::fifo);
  EXPECT_EQ(host.look("/dev/null").kind, FileKind::device);
  EXPECT_EQ(host.look(tree.root()).kind, FileKind::directory);
  EXPECT_EQ(host.look(tree / "absent").kind, FileKind::absent);
  EXPECT_EQ(host.look(file + "/x").kind, FileKind::absent);
  EXPECT_EQ(host.look(file + std::string("\0x", 2)).kind, FileKind::absent);
  EXPECT_EQ(host.real_path(tree / "l"), file);
  EXPECT_EQ(host.real_path(tree / "absent"), std::nullopt);
  EXPECT_EQ(host.list(tree.root()), (std::vector<std::string>{"a\nb", "fifo", "l", "second"}));
  EXPECT_TRUE(host.list(file).empty());
}

TEST(RealHost, AnswersForARepository) {
  const TemporaryTree tree;
  tree.file("home/.gitconfig", "[user]\nname=N\n");
  const std::string root = tree.repository("home/r");
  const std::map<std::string, std::string> environment{{"HOME", tree / "home"}, {"GIT_CONFIG_NOSYSTEM", "1"}};
  const RealHost host(environment, root);
  EXPECT_EQ(host.user().home, tree / "home");
  const GitLayout layout = host.git_layout(root);
  EXPECT_EQ(layout.root, root);
  EXPECT_EQ(host.git_identity(layout), (GitIdentity{{"user.name", "N"}}));
  EXPECT_EQ(host.git_facts(layout), GitFacts());
  EXPECT_EQ(host.find_executable("sh", "/usr/bin:/bin").problem, ExecutableProblem::none);
}

}  // namespace
}  // namespace paddock
