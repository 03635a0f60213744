#include "sandbox/cgroup.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/spawn.h"

namespace paddock {
namespace {

constexpr PlanLimits small{.memory_bytes = std::uint64_t{64} << 20, .cpu_milli = 500, .processes = 8};

// The groups of one set are named after this process: found again in its own group of a hierarchy.
std::string group_of(int join) {
  std::string path(4096, '\0');
  const ssize_t n = ::readlink(("/proc/self/fd/" + std::to_string(join)).c_str(), path.data(), path.size());
  path.resize(static_cast<std::size_t>(n));
  return path.substr(0, path.rfind("/payload/"));
}

std::string control(const std::string& directory, const std::string& name) { return read_file(directory + "/" + name).value(); }

TEST(CgroupSet, OnlyNeededControllersAreAskedFor) {
  EXPECT_TRUE(controllers_for({}, true).empty());
  EXPECT_EQ(controllers_for({.processes = 5}, false).size(), 0U);
  EXPECT_EQ(controllers_for({.processes = 5}, true), std::vector<Controller>{Controller::pids});
  EXPECT_EQ(controllers_for(small, true).size(), 3U);
  EXPECT_TRUE(CgroupSet::create({}, true)->joins().empty());
}

TEST(CgroupSet, LimitsStandOnTheOuterGroupAndTheChildIsInTheLeaf) {
  auto made = CgroupSet::create(small, true);
  if (!made.ok()) GTEST_SKIP() << made.failure().message;
  std::vector<std::string> groups;
  {
    const CgroupSet set = std::move(*made);
    SpawnRequest request;
    request.program_path = "/bin/cat";
    request.argv = {"cat", "/proc/self/cgroup"};
    auto pipe = make_pipe();
    ASSERT_TRUE(pipe.ok());
    request.descriptors = {{pipe->write.get(), 1}};
    request.joins = set.joins();
    auto child = spawn(request);
    ASSERT_TRUE(child.ok());
    EXPECT_EQ(child->wait(), 0);
    pipe->write.reset();
    const std::string text = read_all(pipe->read.get()).value();
    for (const int join : set.joins()) {
      groups.push_back(group_of(join));
      const std::string name = groups.back().substr(groups.back().rfind('/'));
      EXPECT_NE(text.find(name + "/payload\n"), std::string::npos) << text;
      struct stat status {};
      EXPECT_EQ(::stat((groups.back() + "/memory.limit_in_bytes").c_str(), &status) == 0 ? control(groups.back(), "memory.limit_in_bytes") : "67108864\n", "67108864\n");
      if (::stat((groups.back() + "/pids.max").c_str(), &status) == 0) {
        EXPECT_EQ(control(groups.back(), "pids.max"), "10\n");
      }
    }
    EXPECT_TRUE(set.findings().empty());
  }
  ASSERT_FALSE(groups.empty());
  for (const std::string& group : groups) EXPECT_NE(::access(group.c_str(), F_OK), 0) << group;
}

TEST(CgroupSet, TheNextRunRemovesWhatADeadOneLeft) {
  auto first = CgroupSet::create({.processes = 8}, true);
  if (!first.ok()) GTEST_SKIP() << first.failure().message;
  const std::string group = group_of(first->joins().front());
  // A name of a process that cannot be: pid 1 with another start.
  const std::string dead = group.substr(0, group.rfind('/')) + "/paddock-1-999999999999";
  const std::string foreign = group.substr(0, group.rfind('/')) + "/paddock-mine";
  ASSERT_EQ(::mkdir(dead.c_str(), 0755), 0);
  ASSERT_EQ(::mkdir((dead + "/payload").c_str(), 0755), 0);
  ASSERT_EQ(::mkdir(foreign.c_str(), 0755), 0);
  { const CgroupSet gone = std::move(*first); }
  const auto second = CgroupSet::create({.processes = 8}, true);
  ASSERT_TRUE(second.ok());
  EXPECT_NE(::access(dead.c_str(), F_OK), 0);
  EXPECT_EQ(::access(foreign.c_str(), F_OK), 0);  // not one of ours by its name
  EXPECT_EQ(::rmdir(foreign.c_str()), 0);
}

}  // namespace
}  // namespace paddock
