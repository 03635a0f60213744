#include "plan/mount_table.h"

#include <gtest/gtest.h>

namespace paddock {
namespace {

HostFile directory() {
  HostFile file;
  file.kind = FileKind::directory;
  return file;
}

void mask(MountTable& table, const std::string& path, bool by_pattern) {
  Claim claim;
  claim.strength = Strength::mask;
  claim.by_pattern = by_pattern;
  claim.mount.kind = MountKind::mask_directory;
  claim.mount.target = path;
  table.claim(std::move(claim));
}

void grant(MountTable& table, const std::string& path, MountAccess access) {
  table.show(path, directory(), access, access == MountAccess::read_write ? Strength::writable : Strength::read_only, "grant", {});
}

std::vector<std::string> targets(const MountTable& table) {
  std::vector<std::string> all;
  const std::vector<Mount> mounts = table.ordered().value();
  for (const Mount& mount : mounts) all.push_back(mount.target);
  return all;
}

TEST(MountTable, PutsADirectoryBeforeWhatLiesBeneathItWhateverTheInputOrder) {
  MountTable table;
  grant(table, "/a/b", MountAccess::read_only);
  grant(table, "/a-b", MountAccess::read_write);
  grant(table, "/a", MountAccess::read_write);
  EXPECT_EQ(targets(table), (std::vector<std::string>{"/a", "/a/b", "/a-b"}));
}

TEST(MountTable, KeepsAGrantBelowAnotherOnlyWhereItChangesSomething) {
  MountTable table;
  HostFile another = directory();
  another.owner = 7;
  grant(table, "/w", MountAccess::read_write);
  grant(table, "/w/same", MountAccess::read_write);
  table.show("/w/theirs", another, MountAccess::read_write, Strength::writable, "grant", {});
  table.show("/w/theirs/below", another, MountAccess::read_write, Strength::writable, "grant", {});
  EXPECT_EQ(targets(table), (std::vector<std::string>{"/w", "/w/theirs"}));
}

TEST(MountTable, C164_AtOnePathTheStricterRuleStands) {
  for (const bool mask_first : {true, false}) {
    MountTable table;
    if (mask_first) mask(table, "/w/.env", false);
    grant(table, "/w/.env", MountAccess::read_write);
    if (!mask_first) mask(table, "/w/.env", false);
    EXPECT_EQ(table.at("/w/.env")->mount.kind, MountKind::mask_directory);
  }
  MountTable table;
  grant(table, "/w", MountAccess::read_write);
  table.show("/w/hooks", directory(), MountAccess::read_only, Strength::protect, "protected", {});
  grant(table, "/w/hooks", MountAccess::read_write);
  EXPECT_FALSE(table.is_writable("/w/hooks"));
}

// A protection deep inside holds what is shown; it is no grant, nor are the directories pinned above it.
TEST(MountTable, WhatOnlyHoldsVanishesBelowAMaskAndUnderAPattern) {
  for (const bool by_pattern : {true, false}) {
    MountTable table;
    grant(table, "/w", MountAccess::read_write);
    for (const char* place : {"/w/secrets", "/w/secrets/deep"}) {
      Claim pin;
      pin.strength = Strength::pin;
      pin.pin = true;
      pin.mount = {MountKind::bind, place, place, MountAccess::read_write, true, {}, 0, 0755, {}, "pinned", {}};
      table.claim(std::move(pin));
    }
    table.show("/w/secrets/deep/key", directory(), MountAccess::read_only, Strength::protect, "protected", {});
    mask(table, "/w/secrets", by_pattern);
    EXPECT_EQ(targets(table), (std::vector<std::string>{"/w", "/w/secrets"})) << by_pattern;
    EXPECT_EQ(table.at("/w/secrets")->mount.kind, MountKind::mask_directory) << by_pattern;
  }
}

TEST(MountTable, APatternMaskYieldsOnlyToAGrantOfThatExactPath) {
  for (const bool mask_first : {true, false}) {
    MountTable table;
    grant(table, "/w", MountAccess::read_write);
    if (mask_first) mask(table, "/w/s", true);
    grant(table, "/w/s", MountAccess::read_only);
    if (!mask_first) mask(table, "/w/s", true);
    EXPECT_EQ(table.at("/w/s")->mount.kind, MountKind::bind);
  }
  MountTable table;
  grant(table, "/w", MountAccess::read_write);
  mask(table, "/w/s", true);
  grant(table, "/w/s/deeper", MountAccess::read_only);
  EXPECT_EQ(targets(table), (std::vector<std::string>{"/w", "/w/s"}));
}

TEST(MountTable, AGrantBelowAMaskedPathIsShown) {
  MountTable table;
  grant(table, "/w", MountAccess::read_write);
  mask(table, "/w/s", false);
  grant(table, "/w/s/public", MountAccess::read_only);
  EXPECT_EQ(targets(table), (std::vector<std::string>{"/w", "/w/s", "/w/s/public"}));
}

TEST(MountTable, LeavesOutWhatRepeatsItsAncestorUnlessItPins) {
  MountTable table;
  grant(table, "/w", MountAccess::read_write);
  grant(table, "/w/a", MountAccess::read_write);
  Claim pin;
  pin.strength = Strength::writable;
  pin.mount.target = pin.mount.source = "/w/.git";
  pin.mount.access = MountAccess::read_write;
  pin.pin = true;
  table.claim(std::move(pin));
  EXPECT_EQ(targets(table), (std::vector<std::string>{"/w", "/w/.git"}));
}

TEST(MountTable, ALinkGivesWayToWhatLiesBeneathIt) {
  for (const bool holds_more : {true, false}) {
    MountTable table;
    Claim link;
    link.mount = {MountKind::link, "/var/tmp", "/tmp", MountAccess::read_only, false, {}, 4096, 01777, {}, "temporary", {}};
    table.claim(std::move(link));
    if (holds_more) grant(table, "/var/tmp/work", MountAccess::read_write);
    const Mount first = table.ordered().value().front();
    EXPECT_EQ(first.kind, holds_more ? MountKind::temporary : MountKind::link);
    EXPECT_EQ(first.source, holds_more ? "" : "/tmp");
    EXPECT_EQ(first.bytes_max, 4096u);
  }
}

TEST(MountTable, FindsTheDeepestHolderBesideNeighbours) {
  MountTable table;
  grant(table, "/", MountAccess::read_only);
  grant(table, "/a", MountAccess::read_write);
  grant(table, "/a/b/c", MountAccess::read_only);
  grant(table, "/a/b-c", MountAccess::read_only);
  EXPECT_EQ(table.at("/a/b/d")->mount.target, "/a");
  EXPECT_EQ(table.at("/a/b/c/d")->mount.target, "/a/b/c");
  EXPECT_EQ(table.at("/a/b-c/x")->mount.target, "/a/b-c");
  EXPECT_EQ(table.at("/a/b-d")->mount.target, "/a");
  EXPECT_EQ(table.at("/zz")->mount.target, "/");
  EXPECT_EQ(table.at("/")->mount.target, "/");
  EXPECT_EQ(MountTable().at("/a"), nullptr);
}

TEST(MountTable, RefusesMoreMountsThanItsMaximum) {
  MountTable table;
  for (std::size_t i = 0; i <= mounts_max; ++i) grant(table, "/d/" + std::to_string(i), MountAccess::read_only);
  EXPECT_FALSE(table.ordered().ok());
}

}  // namespace
}  // namespace paddock
