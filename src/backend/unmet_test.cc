#include "backend/backend.h"

#include <gtest/gtest.h>

namespace paddock {
namespace {

Plan plan_with(MountKind kind) {
  Plan plan;
  plan.required = {Guarantee::files_hidden};
  plan.mounts.resize(1);
  plan.mounts[0].kind = kind;
  plan.mounts[0].target = "/proc";
  return plan;
}

ProbeReport report_with(int landlock_abi) {
  ProbeReport report;
  report.available = true;
  report.held = {Guarantee::files_hidden};
  report.landlock_abi = landlock_abi;
  return report;
}

TEST(Unmet, IsNothingWhenAllIsHeld) { EXPECT_TRUE(unmet(plan_with(MountKind::processes), report_with(0)).empty()); }

TEST(Unmet, NamesFilesWhereNothingClosesThoseOfProcessesOutside) {
  const auto missing = unmet(plan_with(MountKind::bind), report_with(0));
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].what, "files_hidden");
}

TEST(Unmet, TakesLandlockForIt) { EXPECT_TRUE(unmet(plan_with(MountKind::bind), report_with(1)).empty()); }

TEST(Unmet, SaysWhatTheReportSaysOfAGuarantee) {
  Plan plan = plan_with(MountKind::processes);
  plan.required.push_back(Guarantee::processes_hidden);
  ProbeReport report = report_with(7);
  report.missing = {{"processes_hidden", "why", "fix"}};
  const auto missing = unmet(plan, report);
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].why, "why");
}

TEST(Unmet, IsWhatKeepsAnUnavailableOneFromStarting) {
  ProbeReport report;
  report.missing = {{"start", "off", ""}};
  ASSERT_EQ(unmet(plan_with(MountKind::processes), report).size(), 1u);
}

}  // namespace
}  // namespace paddock
