#include "sandbox/idmap.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

namespace paddock {
namespace {

TEST(IdMap, MapsTheOwnerToTheIdAndEverybodyElseToThemselves) {
  EXPECT_EQ(map_of_owner(0, 2000000000), "0 2000000000 1\n1 1 1999999999\n2000000001 2000000001 2294967294\n");
  EXPECT_EQ(map_of_owner(1000, 2000000000), "1000 2000000000 1\n0 0 1000\n1001 1001 1999998999\n2000000001 2000000001 2294967294\n");
}

TEST(IdMap, HasNoEmptyRange) {
  EXPECT_EQ(map_of_owner(6, 7), "6 7 1\n0 0 6\n8 8 4294967287\n");
  EXPECT_EQ(map_of_owner(7, 6), "7 6 1\n0 0 6\n8 8 4294967287\n");
  EXPECT_EQ(map_of_owner(0xFFFFFFFE, 7), "4294967294 7 1\n0 0 7\n8 8 4294967286\n");
}

TEST(IdMap, OfAnOwnerThatHasTheIdIsTheIdentity) { EXPECT_EQ(map_of_owner(7, 7), "7 7 1\n0 0 7\n8 8 4294967287\n"); }

TEST(IdMap, GivesEachLauncherAnIdOfItsOwn) {
  EXPECT_NE(kernel_id_of(1), kernel_id_of(2));
  EXPECT_GT(kernel_id_of(1), 2000200000u);           // beyond what directory services give out
  EXPECT_LT(kernel_id_of(1 << 22), 0x7FFFFFFFu);     // the largest pid
}

}  // namespace
}  // namespace paddock
