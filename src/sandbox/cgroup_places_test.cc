#include "sandbox/cgroup_places.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

namespace paddock {
namespace {

constexpr Controller memory = Controller::memory, cpu = Controller::cpu, pids = Controller::pids;

struct Machine {
  std::string mounts, own;
  std::map<std::string, std::string> files;
  std::set<std::string> writable;

  CgroupFacts facts() const {
    CgroupFacts facts;
    facts.mounts = mounts;
    facts.own = own;
    facts.read = [this](const std::string& path) {
      const auto found = files.find(path);
      return found == files.end() ? std::nullopt : std::optional<std::string>(found->second);
    };
    facts.may_write = [this](const std::string& path) { return writable.contains(path); };
    return facts;
  }
};

const std::string unified_mount = "30 25 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
const std::string user_slice = "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service";

// A terminal of a desktop under systemd: everything below user@1000.service is the user's.
Machine desktop() {
  Machine machine;
  machine.mounts = "22 25 0:5 / /proc rw - proc proc rw\n" + unified_mount;
  machine.own = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-term.scope\n";
  const std::string app = user_slice + "/app.slice";
  machine.files = {{app + "/app-term.scope/cgroup.subtree_control", "\n"}, {app + "/app-term.scope/cgroup.controllers", "memory pids\n"},
                   {app + "/app-term.scope/cgroup.type", "domain\n"},      {app + "/app-term.scope/cgroup.procs", "100\n"},
                   {app + "/cgroup.subtree_control", "memory pids\n"},     {app + "/cgroup.controllers", "cpu memory pids\n"},
                   {app + "/cgroup.type", "domain\n"},                     {app + "/cgroup.procs", ""}};
  machine.writable = {app + "/app-term.scope", app + "/app-term.scope/cgroup.procs", app + "/app-term.scope/cgroup.subtree_control",
                      app, app + "/cgroup.procs", app + "/cgroup.subtree_control"};
  return machine;
}

TEST(CgroupPlaces, ADelegatedSliceGivesASiblingOfOurOwnGroup) {
  const auto places = find_cgroup_places(desktop().facts(), {memory, pids});
  ASSERT_TRUE(places.ok());
  EXPECT_EQ(*places, (std::vector<CgroupPlace>{{CgroupVersion::v2, user_slice + "/app.slice", {memory, pids}, {}}}));
}

TEST(CgroupPlaces, AControllerThatIsThereIsSwitchedOn) {
  const auto places = find_cgroup_places(desktop().facts(), {cpu, memory});
  ASSERT_TRUE(places.ok());
  EXPECT_EQ(places->front().to_enable, std::vector<Controller>{cpu});
  EXPECT_EQ(places->front().directory, user_slice + "/app.slice");
}

TEST(CgroupPlaces, AGroupWithProcessesIsNeverDivided) {
  Machine machine = desktop();
  machine.files[user_slice + "/app.slice/cgroup.procs"] = "7\n";
  EXPECT_FALSE(find_cgroup_places(machine.facts(), {cpu}).ok());
  EXPECT_TRUE(find_cgroup_places(machine.facts(), {memory}).ok());  // given to its children already
}

TEST(CgroupPlaces, ALoginSessionOfAnotherOwnerIsRefusedWithTheWayOut) {
  Machine machine = desktop();
  machine.own = "0::/user.slice/user-1000.slice/session-1.scope\n";
  machine.writable.clear();
  const auto places = find_cgroup_places(machine.facts(), {memory});
  ASSERT_FALSE(places.ok());
  EXPECT_NE(places.failure().hint.find("Delegate=yes"), std::string::npos);
}

TEST(CgroupPlaces, WhoMayNotMoveProcessesOutOfTheCommonGroupIsRefused) {
  Machine machine = desktop();
  machine.writable.erase(user_slice + "/app.slice/cgroup.procs");
  EXPECT_FALSE(find_cgroup_places(machine.facts(), {memory}).ok());
}

TEST(CgroupPlaces, TheTrueRootIsDividedWithProcessesInIt) {
  Machine machine;
  machine.mounts = unified_mount;
  machine.own = "0::/\n";
  machine.files = {{"/sys/fs/cgroup/cgroup.subtree_control", ""}, {"/sys/fs/cgroup/cgroup.controllers", "cpu memory pids"}, {"/sys/fs/cgroup/cgroup.procs", "1\n2\n"}};
  machine.writable = {"/sys/fs/cgroup", "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/cgroup.subtree_control"};
  const auto places = find_cgroup_places(machine.facts(), {memory});
  ASSERT_TRUE(places.ok());
  EXPECT_EQ(places->front().to_enable, std::vector<Controller>{memory});
  // The root of a container's view is none: it has a type.
  machine.files["/sys/fs/cgroup/cgroup.type"] = "domain\n";
  EXPECT_FALSE(find_cgroup_places(machine.facts(), {memory}).ok());
}

// Version 1 with a mount for each controller, as here; the own group differs between them.
Machine hybrid() {
  Machine machine;
  machine.mounts =
      "31 30 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
      "32 30 0:28 /box /sys/fs/cgroup/mem\\040ory rw - cgroup cgroup rw,memory\n"
      "33 30 0:29 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
      "34 30 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
  machine.own = "9:name=systemd:/\n8:pids:/a:b\n4:memory:/box/x\n1:cpu,cpuacct:/\n0::/\n";
  machine.writable = {"/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/mem ory/x", "/sys/fs/cgroup/pids/a:b"};
  return machine;
}

TEST(CgroupPlaces, EachHierarchyOfVersionOneHasAPlaceAtOurOwnGroup) {
  const auto places = find_cgroup_places(hybrid().facts(), {memory, cpu, pids});
  ASSERT_TRUE(places.ok());
  EXPECT_EQ(*places, (std::vector<CgroupPlace>{{CgroupVersion::v1, "/sys/fs/cgroup/mem ory/x", {memory}, {}},
                                               {CgroupVersion::v1, "/sys/fs/cgroup/cpu,cpuacct", {cpu}, {}},
                                               {CgroupVersion::v1, "/sys/fs/cgroup/pids/a:b", {pids}, {}}}));
}

TEST(CgroupPlaces, WhatIsNotInViewOrNotOursIsRefusedByName) {
  Machine machine = hybrid();
  machine.own = "4:memory:/elsewhere\n8:pids:/\n";
  const auto hidden = find_cgroup_places(machine.facts(), {memory});
  ASSERT_FALSE(hidden.ok());
  EXPECT_NE(hidden.failure().message.find("memory"), std::string::npos);
  const auto foreign = find_cgroup_places(machine.facts(), {pids});
  ASSERT_FALSE(foreign.ok());
  EXPECT_NE(foreign.failure().message.find("version 1"), std::string::npos);
  EXPECT_FALSE(find_cgroup_places(machine.facts(), {cpu}).ok());
}

TEST(CgroupPlaces, NothingMountedAndNothingReadableIsRefused) {
  Machine machine;
  EXPECT_FALSE(find_cgroup_places(machine.facts(), {memory}).ok());
  machine.mounts = "garbage\n1 2 3\n - cgroup2\n" + unified_mount;
  EXPECT_FALSE(find_cgroup_places(machine.facts(), {memory}).ok());
}

}  // namespace
}  // namespace paddock
