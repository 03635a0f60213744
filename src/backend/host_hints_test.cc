#include "backend/host_hints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace paddock {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

HostSettings with(std::string name, std::string value) {
  HostSettings settings;
  settings.sysctls[std::move(name)] = std::move(value);
  return settings;
}

TEST(ExplainRefusal, NamesTheLimitThatIsZero) {
  const Missing missing = explain_refusal("bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)", with("user.max_user_namespaces", "0"));
  EXPECT_EQ(missing.what, "start");
  EXPECT_THAT(missing.why, HasSubstr("user.max_user_namespaces is 0"));
  EXPECT_THAT(missing.why, HasSubstr("ENOSPC"));
  EXPECT_EQ(missing.fix, "sudo sysctl -w user.max_user_namespaces=15000");
}

TEST(ExplainRefusal, NamesTheNetworksLimitAlone) {
  const Missing missing = explain_refusal("bwrap: Creating new namespace failed (ENOSPC)", with("user.max_net_namespaces", "0"));
  EXPECT_THAT(missing.why, HasSubstr("user.max_net_namespaces is 0"));
  EXPECT_EQ(missing.fix, "sudo sysctl -w user.max_net_namespaces=15000");
}

TEST(ExplainRefusal, SaysThatALimitFurtherOutCounts) {
  EXPECT_THAT(explain_refusal("… (ENOSPC)", with("user.max_user_namespaces", "96364")).why, HasSubstr("around this one"));
}

TEST(ExplainRefusal, NamesDebiansSwitch) {
  const Missing missing = explain_refusal("bwrap: No permissions to create new namespace", with("kernel.unprivileged_userns_clone", "0"));
  EXPECT_EQ(missing.fix, "sudo sysctl -w kernel.unprivileged_userns_clone=1");
}

TEST(ExplainRefusal, NamesUbuntusProfile) {
  HostSettings settings = with("kernel.apparmor_restrict_unprivileged_userns", "1");
  settings.distribution = {DistributionFamily::debian, "ubuntu", "Ubuntu 24.04", "24.04"};
  const Missing missing = explain_refusal("bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", settings);
  EXPECT_THAT(missing.why, HasSubstr("AppArmor"));
  EXPECT_THAT(missing.fix, HasSubstr("bwrap-userns-restrict"));
  settings.distribution = {};
  EXPECT_THAT(explain_refusal("bwrap: setting up uid map: Permission denied", settings).fix, HasSubstr("apparmor_restrict_unprivileged_userns=0"));
}

TEST(ExplainRefusal, TellsAMaskedProcFromEverythingElse) {
  // Whatever else is set: this message has one cause.
  HostSettings settings = with("kernel.apparmor_restrict_unprivileged_userns", "1");
  settings.container = "docker";
  settings.covered_proc = {"/proc/kcore", "/proc/keys"};
  const Missing missing = explain_refusal("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", settings);
  EXPECT_THAT(missing.why, HasSubstr("/proc/kcore, /proc/keys"));
  EXPECT_THAT(missing.fix, HasSubstr("systempaths=unconfined"));
}

TEST(ExplainRefusal, TellsAnOldBubblewrap) {
  HostSettings settings;
  settings.distribution.family = DistributionFamily::alpine;
  const Missing missing = explain_refusal("bwrap: Unknown option --size", settings);
  EXPECT_THAT(missing.why, HasSubstr("too old"));
  EXPECT_THAT(missing.fix, HasSubstr("apk add bubblewrap"));
}

TEST(ExplainRefusal, TellsOneThatHangs) { EXPECT_THAT(explain_refusal("the sandbox did not come up in 5 s", {}).fix, HasSubstr("probe_timeout")); }

TEST(ExplainRefusal, TellsOfAFilterThatIsOverUs) {
  HostSettings settings;
  settings.is_filtered = true;
  EXPECT_THAT(explain_refusal("bwrap: No permissions to create new namespace", settings).why, HasSubstr("filter is over this process"));
}

TEST(ExplainRefusal, TellsMountsThatAreRefused) {
  EXPECT_THAT(explain_refusal("bwrap: Failed to make / slave: Operation not permitted", {}).why, HasSubstr("mounting in its own mount namespace was refused"));
}

TEST(ExplainRefusal, NeverHandsOnControlCharacters) {
  HostSettings settings;
  settings.container = "\x1b[31mred";
  const Missing missing = explain_refusal("\x1b]0;title\x07 namespace", settings);
  EXPECT_EQ(missing.why.find('\x1b'), std::string::npos);
}

TEST(CoveredProc, IsWhatIsMountedBelow) {
  EXPECT_THAT(covered_proc_of("22 1 0:21 / /proc rw - proc proc rw\n"
                              "23 22 0:5 /null /proc/kcore rw - devtmpfs dev rw\n"
                              "24 22 0:30 / /proc/sys/fs/binfmt_misc rw - autofs systemd-1 rw\n"
                              "25 22 0:21 /sys /proc/sys ro - proc proc rw\n"
                              "26 22 0:5 /null /proc/kcore rw - devtmpfs dev rw\n"
                              "27 1 0:40 / /process rw - tmpfs tmpfs rw\n"),
              ElementsAre("/proc/kcore", "/proc/sys"));
}

}  // namespace
}  // namespace paddock
