#include <gtest/gtest.h>

#include "policy/load.h"
#include "policy/policy.h"

namespace paddock {
namespace {

Policy policy(std::string_view toml, std::string_view where) {
  return read_policy(toml, where, OriginKind::user_config, "/b").value().policy;
}

TEST(Merge, StatedScalarsReplaceAndUnstatedOnesLeaveTheBase) {
  const Policy base = policy("[network]\nmode = \"on\"\n[git]\nmode = \"real\"", "a");
  const Policy over = policy("[network]\nmode = \"off\"", "b");
  Policy wanted = base;
  wanted.network = over.network;
  EXPECT_EQ(merge(base, over), wanted);
}

TEST(Merge, ListsAreAppendedInOrder) {
  const Policy merged = merge(policy("[filesystem]\nread = [\"/1\"]\n[environment]\npass = [\"A\"]", "a"),
                              policy("[filesystem]\nread = [\"/2\"]\n[environment]\nset = { A = \"x\" }", "b"));
  ASSERT_EQ(merged.filesystem.read.size(), 2u);
  EXPECT_EQ(merged.filesystem.read[0].origin.where, "a:2");
  EXPECT_EQ(merged.filesystem.read[1].origin.where, "b:2");
  ASSERT_EQ(merged.variables.size(), 2u);
  EXPECT_EQ(merged.variables[1].value, "x");
}

TEST(Merge, NothingOverNothingIsNothingAndEachSideIsNeutral) {
  const Policy some = policy("[filesystem]\nmask = [\"x\"]\n[limits]\npids = 3\n[isolation]\nwithout = [\"y\"]", "a");
  EXPECT_EQ(merge(some, Policy()), some);
  EXPECT_EQ(merge(Policy(), some), some);
}

// C164: a grant never takes a mask or protection of the same path away, whichever was said later.
TEST(Merge, C164ADenialStaysBesideAGrantOfTheSamePath) {
  const Policy deny = policy("[filesystem]\nmask = [\"ws/.env\"]\nprotect = [\".git/hooks\"]", "deny");
  const Policy grant = policy("[filesystem]\nwrite = [\"ws/.env\", \".git/hooks\"]", "grant");
  for (const Policy& merged : {merge(deny, grant), merge(grant, deny)}) {
    EXPECT_EQ(merged.filesystem.mask, deny.filesystem.mask);
    EXPECT_EQ(merged.filesystem.protect, deny.filesystem.protect);
    EXPECT_EQ(merged.filesystem.write, grant.filesystem.write);
  }
}

}  // namespace
}  // namespace paddock
