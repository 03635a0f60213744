#include "backend/distribution.h"

#include <gtest/gtest.h>

namespace paddock {
namespace {

using Family = DistributionFamily;

TEST(OsRelease, IsReadWithAndWithoutQuotes) {
  const Distribution found = parse_os_release("PRETTY_NAME=\"Ubuntu 24.04.1 LTS\"\nID=ubuntu\nID_LIKE=debian\nVERSION_ID='24.04'\n");
  EXPECT_EQ(found, (Distribution{Family::debian, "ubuntu", "Ubuntu 24.04.1 LTS", "24.04"}));
}

TEST(OsRelease, NamesTheFamilyByItsRelatives) {
  EXPECT_EQ(parse_os_release("ID=neon\nID_LIKE=\"ubuntu debian\"\n").family, Family::debian);
  EXPECT_EQ(parse_os_release("ID=nobara\nID_LIKE=\"rhel centos fedora\"\n").family, Family::fedora);
  EXPECT_EQ(parse_os_release("ID=opensuse-tumbleweed\nID_LIKE=\"opensuse suse\"\n").family, Family::suse);
  EXPECT_EQ(parse_os_release("ID=\"alpine\"\n").family, Family::alpine);
  EXPECT_EQ(parse_os_release("ID=cachyos\nID_LIKE=arch\n").family, Family::arch);
}

TEST(OsRelease, IsUnknownWhenNothingIsUnderstood) {
  EXPECT_EQ(parse_os_release("").family, Family::unknown);
  EXPECT_EQ(parse_os_release("ID\n=\nID=\n").family, Family::unknown);
  EXPECT_EQ(parse_os_release("ID=debianish\n").family, Family::unknown);
}

TEST(InstallCommand, IsTheDistributionsOwn) {
  EXPECT_EQ(install_command({Family::debian, {}, {}, {}}, "bubblewrap"), "sudo apt install bubblewrap");
  EXPECT_EQ(install_command({Family::fedora, {}, {}, {}}, "git"), "sudo dnf install git");
  EXPECT_EQ(install_command({Family::arch, {}, {}, {}}, "git"), "sudo pacman -S git");
  EXPECT_EQ(install_command({Family::suse, {}, {}, {}}, "git"), "sudo zypper install git");
  EXPECT_EQ(install_command({Family::alpine, {}, {}, {}}, "git"), "sudo apk add git");
  EXPECT_EQ(install_command({Family::nixos, {}, {}, {}}, "ca-certificates"), "nix-env -iA nixos.cacert");
}

TEST(InstallCommand, NamesTheCommonestOnesElsewhere) {
  EXPECT_EQ(install_command({}, "git"), "sudo apt install git  |  sudo dnf install git  |  sudo pacman -S git");
}

}  // namespace
}  // namespace paddock
