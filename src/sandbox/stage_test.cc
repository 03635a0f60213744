#include "sandbox/stage.h"

#include "sandbox/idmap.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace paddock {
namespace {

namespace fs = std::filesystem;

class StageTest : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only real root has a stage";
    std::string name = testing::TempDir() + "stage-XXXXXX";
    base_ = fs::canonical(::mkdtemp(name.data()));
    const Result<Stage> possible = make_stage({&plan_, {}, "/usr/bin/bwrap"});
    if (!possible) GTEST_SKIP() << possible.failure().message;
  }
  void TearDown() override { fs::remove_all(base_); }

  std::string directory(const std::string& name, uid_t owner = 0) {
    fs::create_directories(base_ / name);
    EXPECT_EQ(::chown((base_ / name).c_str(), owner, owner), 0);
    return base_ / name;
  }
  Mount& bind(const std::string& source, MountAccess access, SeenAs seen_as = SeenAs::owner) {
    Mount mount;
    mount.source = mount.target = source;
    mount.access = access;
    mount.seen_as = seen_as;
    plan_.mounts.push_back(mount);
    return plan_.mounts.back();
  }
  Result<Stage> make(AbsentSource absent = AbsentSource::refuse) { return make_stage({&plan_, {}, "/usr/bin/bwrap", absent}); }

  fs::path base_;
  Plan plan_;
};

TEST_F(StageTest, AWritableBindHasATreeOfItsOwnAndAReadOnlyOneIsReachedThroughWhatHoldsIt) {
  bind(directory("w"), MountAccess::read_write);
  bind(directory("w/pin"), MountAccess::read_write);
  bind(directory("w/pin/kept"), MountAccess::read_only);
  bind(directory("w/plain/kept"), MountAccess::read_only);
  bind(directory("w/system"), MountAccess::read_only, SeenAs::others);
  bind("/proc/sys", MountAccess::read_only, SeenAs::others);
  plan_.mounts.emplace_back().kind = MountKind::temporary;
  const Stage stage = make().value();
  EXPECT_EQ(stage.sources.binds, (std::vector<std::string>{"/tmp/1", "/tmp/2", "/tmp/2/kept", "/tmp/1/plain/kept", "/tmp/3", "/proc/sys", ""}));
  EXPECT_EQ(stage.spawn.trees.size(), 3u);
  EXPECT_GE(stage.spawn.id, kernel_id_first);
}

TEST_F(StageTest, CoversNoDirectoryThatHoldsTheBackendsProgram) {
  bind(directory("w"), MountAccess::read_write);
  EXPECT_EQ(make_stage({&plan_, {}, "/tmp/x/bwrap"})->sources.binds.front(), "/run/1");
}

TEST_F(StageTest, ManyBindsSideBySideShareATree) {
  for (int i = 0; i < 20; ++i) bind(directory("many/" + std::to_string(i)), MountAccess::read_only);
  bind(directory("many/theirs", 1234), MountAccess::read_only);
  const Stage stage = make().value();
  EXPECT_EQ(stage.spawn.trees.size(), 2u);
  EXPECT_EQ(stage.sources.binds[7], "/tmp/1/7");
  EXPECT_EQ(stage.sources.binds.back(), "/tmp/2");  // another owner's
}

TEST_F(StageTest, TheEmptyFileIsThereToo) {
  std::ofstream(base_ / "empty").flush();
  const Stage stage = make_stage({&plan_, base_ / "empty", "/usr/bin/bwrap"}).value();
  EXPECT_EQ(stage.sources.empty_file, "/tmp/1");
}

TEST_F(StageTest, ASourceThatWasReplacedOrIsAbsentIsRefused) {
  struct stat status {};
  const std::string work = directory("w");
  ASSERT_EQ(::stat(work.c_str(), &status), 0);
  const FileIdentity right{static_cast<std::uint64_t>(major(status.st_dev)) << 32 | minor(status.st_dev), status.st_ino};
  bind(work, MountAccess::read_write).identity = right;
  EXPECT_TRUE(make().ok());
  plan_.mounts[0].identity.inode += 1;
  EXPECT_FALSE(make().ok());
  plan_.mounts[0] = {};
  plan_.mounts[0].source = base_ / "absent";
  EXPECT_FALSE(make().ok());
  EXPECT_TRUE(make(AbsentSource::skip).ok());
}

TEST_F(StageTest, WhatCannotBeIdmappedIsNamed) {
  bind("/sys", MountAccess::read_only);
  const Result<Stage> stage = make();
  ASSERT_FALSE(stage.ok());
  EXPECT_NE(stage.failure().message.find("/sys"), std::string::npos);
  EXPECT_NE(stage.failure().message.find("sysfs"), std::string::npos);
  EXPECT_NE(stage.failure().hint.find("--without kernel_uid_unprivileged"), std::string::npos);
  plan_.mounts[0].seen_as = SeenAs::others;
  EXPECT_TRUE(make().ok());
}

TEST_F(StageTest, AnAgentsSocketIsOneOfOurs) {
  plan_.ssh_agent = directory("agent");
  bind(plan_.ssh_agent, MountAccess::read_write);
  const Stage stage = make().value();
  EXPECT_EQ(stage.sources.binds.front(), "/tmp/agent");
  EXPECT_TRUE(stage.agent_listener.valid());
  EXPECT_NE(stage.agent, FileIdentity{});
}

}  // namespace
}  // namespace paddock
