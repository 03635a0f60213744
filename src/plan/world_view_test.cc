#include "plan/world_view.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/path.h"
#include "plan/scene_for_tests.h"

namespace paddock {
namespace {

const Mount* mount_at(const Plan& plan, std::string_view target) {
  const auto found = std::ranges::find(plan.mounts, target, &Mount::target);
  return found == plan.mounts.end() ? nullptr : &*found;
}

bool is_relaxed(const Plan& plan, std::string_view name) { return std::ranges::find(plan.relaxations, name, &Relaxation::name) != plan.relaxations.end(); }

std::string temporary_of(const Plan& plan) { return std::ranges::find(plan.environment, "TMPDIR", &Variable::name)->value; }

TEST(HostWorld, IsTheWholeMachineReadOnlyWithPlacesOfItsOwn) {
  const Plan plan = host_world_scene().plan().value();
  EXPECT_EQ(plan.mounts.front().target, "/");
  EXPECT_EQ(plan.mounts.front().access, MountAccess::read_only);
  for (const char* place : {"/run", "/tmp", "/var/tmp", "/scratch", "/run/user/1000"}) {
    ASSERT_NE(mount_at(plan, place), nullptr) << place;
    EXPECT_EQ(mount_at(plan, place)->kind, MountKind::temporary) << place;
  }
  EXPECT_EQ(mount_at(plan, "/proc")->kind, MountKind::processes);
  EXPECT_EQ(mount_at(plan, "/dev")->kind, MountKind::devices);
  EXPECT_EQ(mount_at(plan, "/home/u"), nullptr);
  EXPECT_EQ(mount_at(plan, "/home/u/data")->access, MountAccess::read_write);
  EXPECT_EQ(mount_at(plan, "/home/u/.ssh")->kind, MountKind::mask_directory);
  EXPECT_EQ(temporary_of(plan), "/scratch");
}

// Nothing can be made in a root that is the host's, and nothing may be.
TEST(HostWorld, MaterialisesNothing) {
  for (const char* profile : {"strict", "balanced", "dev"}) {
    Scene scene = host_world_scene();
    const Policy mine = scene.input.policy;
    scene.input.policy = load_profile(profile, {}).value();
    scene.input.policy.filesystem.world = mine.filesystem.world;
    scene.harness = agent_manifest();
    scene.host.file("/opt/agent/agent", 0, 0755).link("/usr/bin/agent", "/opt/agent/agent", 0);
    const Plan plan = scene.plan().value();
    EXPECT_TRUE(plan.seeds.empty()) << profile;
    EXPECT_TRUE(std::ranges::none_of(plan.absent, &AbsentProtection::hold)) << profile;
    const Mount* above = nullptr;
    for (const Mount& mount : plan.mounts) {
      if (above != nullptr && path::is_within(mount.target, above->target)) continue;
      if (mount.kind == MountKind::temporary) above = &mount;
      EXPECT_NE(scene.host.look(mount.target).kind, FileKind::absent) << profile << " " << mount.target;
    }
  }
}

TEST(HostWorld, MasksEverySocketInView) {
  Scene scene = host_world_scene();
  const Plan plan = scene.plan().value();
  for (const char* socket : {"/var/lib/db/db.sock", "/home/u/p/server.sock"}) {
    ASSERT_NE(mount_at(plan, socket), nullptr) << socket;
    EXPECT_EQ(mount_at(plan, socket)->kind, MountKind::mask_file) << socket;
  }
  for (const char* socket : {"/run/docker.sock", "/tmp/x.sock"}) EXPECT_EQ(mount_at(plan, socket), nullptr) << socket;
}

TEST(HostWorld, ASocketThatWasGrantedByNameIsLeft) {
  Scene scene = host_world_scene();
  scene.input.policy.filesystem.read = {{"/var/lib/db/db.sock", "/", false, flag("--ro")}, {"/run/docker.sock", "/", false, flag("--ro")}};
  const Plan plan = scene.plan().value();
  EXPECT_EQ(mount_at(plan, "/run/docker.sock")->kind, MountKind::bind);
  const Mount* socket = mount_at(plan, "/var/lib/db/db.sock");
  EXPECT_TRUE(socket == nullptr || socket->kind == MountKind::bind);
  EXPECT_TRUE(is_relaxed(plan, "grant_container_socket"));
}

TEST(HostWorld, SaysWhatItGivesUp) {
  const Plan plan = host_world_scene().plan().value();
  EXPECT_TRUE(is_relaxed(plan, "world_host"));
  EXPECT_TRUE(is_relaxed(plan, "without_host_sockets_hidden"));
  EXPECT_TRUE(holds(plan.required, Guarantee::world_host));
  EXPECT_FALSE(holds(plan.required, Guarantee::files_hidden));
  EXPECT_FALSE(holds(plan.required, Guarantee::host_sockets_hidden));
  const Plan minimal = project_scene("strict").plan().value();
  EXPECT_TRUE(holds(minimal.required, Guarantee::host_sockets_hidden));
  EXPECT_FALSE(is_relaxed(minimal, "without_host_sockets_hidden"));
}

TEST(HostWorld, NamesTheSecretsThatNoMaskCovers) {
  Scene scene = host_world_scene();
  scene.host.file("/home/u/.netrc").file("/home/u/.aws/credentials");
  const Plan plan = scene.plan().value();
  const std::string reason = std::ranges::find(plan.relaxations, "world_host", &Relaxation::name)->reason;
  EXPECT_NE(reason.find("~/.netrc"), std::string::npos) << reason;
  EXPECT_NE(reason.find("~/.aws"), std::string::npos) << reason;
  EXPECT_EQ(reason.find("~/.ssh"), std::string::npos) << reason;
}

TEST(HostWorld, CannotBeHadWhereHiddenSocketsAreRequired) {
  Scene scene = host_world_scene();
  scene.input.policy.required = {{"host_sockets_hidden", flag("require")}};
  const Result<Plan> plan = scene.plan();
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.failure().code, ErrorCode::cannot_start);
  EXPECT_NE(plan.failure().message.find("world"), std::string::npos) << plan.failure().message;
}

TEST(HostWorld, AGrantOfAllOfItIsWritableButForKernelSettings) {
  Scene scene = host_world_scene();
  scene.input.policy.filesystem.write = {{"/", "/", false, flag("--rw")}};
  scene.input.policy.without = {{"protect_existing", flag("--without")}, {"protect_absent", flag("--without")}};
  const Plan plan = scene.plan().value();
  EXPECT_EQ(plan.mounts.front().access, MountAccess::read_write);
  EXPECT_EQ(mount_at(plan, "/sys")->access, MountAccess::read_only);
  EXPECT_EQ(mount_at(plan, "/home/u/.local/state/paddock")->kind, MountKind::mask_directory);
  EXPECT_FALSE(holds(plan.required, Guarantee::world_host));
  EXPECT_TRUE(is_relaxed(plan, "grant_root"));
}

TEST(HostWorld, StartsWhereItWasToldOutsideTheWorkspaceToo) {
  Scene scene = host_world_scene();
  scene.input.workspace = "/home/u/p";
  scene.input.directory = "/usr/bin";
  EXPECT_EQ(scene.plan().value().directory, "/usr/bin");
  scene.input.directory = "/tmp";
  EXPECT_FALSE(scene.plan().ok());
}

TEST(HostWorld, ATemporaryDirectoryIsReplacedOnlyWhereThatTakesNothingElse) {
  for (const char* place : {"/", "/home", "/home/u", "/etc", "/usr/lib64", "/nowhere", "relative", ""}) {
    Scene scene = host_world_scene();
    scene.host.directory("/etc", 0).directory("/usr/lib64", 0);
    scene.input.environment["TMPDIR"] = place;
    const Plan plan = scene.plan().value();
    EXPECT_EQ(temporary_of(plan), "/tmp") << place;
    EXPECT_TRUE(mount_at(plan, place) == nullptr || std::string_view(place) == "/") << place;
  }
}

TEST(HostWorld, ATemporaryDirectoryInAWritablePlaceIsLeft) {
  Scene scene = host_world_scene();
  for (const char* place : {"/home/u/p/src", "/home/u/data"}) {
    scene.input.environment["TMPDIR"] = place;
    const auto made = scene.plan();
    ASSERT_TRUE(made.ok()) << made.failure().message;
    const Plan& plan = *made;
    EXPECT_EQ(temporary_of(plan), place);
    EXPECT_TRUE(mount_at(plan, place) == nullptr || mount_at(plan, place)->kind == MountKind::bind) << place;
  }
  scene.input.policy.filesystem.workspace.state(WorkspaceAccess::read_only, flag("--fs"));
  scene.host.directory("/home/u/p/tmp");
  scene.input.environment["TMPDIR"] = "/home/u/p/tmp";
  const auto read_only = scene.plan();
  ASSERT_TRUE(read_only.ok()) << read_only.failure().message;
  EXPECT_EQ(mount_at(*read_only, "/home/u/p/tmp")->kind, MountKind::temporary);
}

TEST(HostWorld, ARuntimeDirectoryElsewhereIsReplaced) {
  Scene scene = host_world_scene();
  scene.host.directory("/home/u/.run");
  scene.input.environment["XDG_RUNTIME_DIR"] = "/home/u/.run";
  EXPECT_EQ(mount_at(scene.plan().value(), "/home/u/.run")->kind, MountKind::temporary);
}

TEST(HostTemp, IsSharedInEveryWorldAndItsSocketsAreMasked) {
  for (const World world : {World::host, World::minimal}) {
    Scene scene = host_world_scene();
    scene.input.policy.filesystem.world.state(world, flag("world"));
    scene.input.policy.filesystem.temp.state(Temp::host, flag("temp"));
    const Plan plan = scene.plan().value();
    for (const char* place : {"/tmp", "/var/tmp", "/scratch"}) {
      ASSERT_NE(mount_at(plan, place), nullptr) << place;
      EXPECT_EQ(mount_at(plan, place)->kind, MountKind::bind) << place;
      EXPECT_EQ(mount_at(plan, place)->access, MountAccess::read_write) << place;
    }
    EXPECT_EQ(mount_at(plan, "/tmp/x.sock")->kind, MountKind::mask_file);
    EXPECT_TRUE(is_relaxed(plan, "temp_host"));
    EXPECT_TRUE(is_relaxed(plan, "without_host_sockets_hidden"));
    EXPECT_FALSE(holds(plan.required, Guarantee::host_sockets_hidden));
    EXPECT_EQ(temporary_of(plan), "/scratch");
  }
}

TEST(HostTemp, IsNotAPlaceOfKeys) {
  Scene scene = host_world_scene();
  scene.input.policy.filesystem.temp.state(Temp::host, flag("temp"));
  scene.input.environment["TMPDIR"] = "/home/u/.ssh";
  EXPECT_FALSE(scene.plan().ok());
}

// The payload of real root is nobody there, and bubblewrap too: nothing is in view, and nothing can be mounted.
TEST(HostWorld, WhatRealRootsPayloadCannotReachNeedsNoMask) {
  Scene scene = host_world_scene();
  scene.host.directory("/home/other", 2000, 0700).directory("/home/open", 2000, 0711);
  scene.host.socket("/home/other/s", 2000).socket("/home/open/s", 2000);
  HostUser root = scene.host.user();
  root.real_root = true;
  root.uid = root.gid = 0;
  scene.host.set_user(root);
  const auto plan = scene.plan();
  ASSERT_TRUE(plan.ok()) << plan.failure().message;
  EXPECT_EQ(mount_at(*plan, "/home/other/s"), nullptr);
  ASSERT_NE(mount_at(*plan, "/home/open/s"), nullptr);
  EXPECT_EQ(mount_at(*plan, "/home/open/s")->kind, MountKind::mask_file);
}

TEST(HideSockets, RefusesMoreThanItsMaximum) {
  Scene scene = host_world_scene();
  for (std::size_t i = 0; i <= sockets_masked_max; ++i) scene.host.socket("/srv/many/s" + std::to_string(i));
  EXPECT_FALSE(scene.plan().ok());
  scene.input.policy.filesystem.mask.push_back({"/srv/many", "/", false, flag("--mask")});
  EXPECT_TRUE(scene.plan().ok());
}

}  // namespace
}  // namespace paddock
