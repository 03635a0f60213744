#include "harness/help.h"

#include <gtest/gtest.h>

namespace paddock {
namespace {

using Words = std::vector<std::string>;

TEST(Help, AFlagIsNamedOnlyAsAWholeWord) {
  const HelpCheck check{{"--help"}, {"--sandbox", "--auto", "-c", "--yolo"}};
  EXPECT_EQ(missing_flags(check, "  -c, --config <key=value>\n  --sandbox=MODE\n  [--auto]\n  --yolo"), Words{});
  EXPECT_EQ(missing_flags(check, "  --config -cc\n  --sandbox-mode M\n  --no--auto\n  --yolo2"), (Words{"--sandbox", "--auto", "-c", "--yolo"}));
  EXPECT_EQ(missing_flags(check, ""), (Words{"--sandbox", "--auto", "-c", "--yolo"}));
}

Manifest agent() {
  Manifest manifest;
  manifest.skip_permissions = {{.words = {"--yolo"}}};
  manifest.inner_sandbox_off = {{.words = {"--sandbox", "off"}}};
  manifest.confined = {{.words = {"-c", "trust=true", "--no-daemon", "-c", "updates=false"}}};
  return manifest;
}

TEST(Help, NothingIsLeftOutWhereNothingIsMissing) {
  const Reduced reduced = without_flags(agent(), {});
  EXPECT_EQ(reduced.manifest, agent());
  EXPECT_EQ(reduced.lost, Words{});
}

TEST(Help, AMissingFlagGoesWithItsValueAndTakesNothingElse) {
  const Reduced reduced = without_flags(agent(), {"--sandbox", "--no-daemon", "--continue"});
  EXPECT_EQ(reduced.lost, (Words{"inner_sandbox_off", "confined"}));
  EXPECT_EQ(reduced.manifest.skip_permissions, agent().skip_permissions);
  EXPECT_TRUE(reduced.manifest.inner_sandbox_off.empty());
  ASSERT_EQ(reduced.manifest.confined.size(), 1u);
  EXPECT_EQ(reduced.manifest.confined[0].words, (Words{"-c", "trust=true", "-c", "updates=false"}));
}

TEST(Help, TheFlagThatSkipsPermissionsIsLeftOutWhenItIsNotKnown) {
  const Reduced reduced = without_flags(agent(), {"--yolo"});
  EXPECT_EQ(reduced.lost, Words{"skip_permissions"});
  EXPECT_TRUE(reduced.manifest.skip_permissions.empty());
}

}  // namespace
}  // namespace paddock
