#include "host/etc_view.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "host/etc_memo.h"
#include "host/host_test_support.h"

namespace paddock {
namespace {

namespace fs = std::filesystem;

class EtcViewTest : public testing::Test {
 protected:
  EtcViewTest() {
    tree_.file("etc/hosts", "127.0.0.1 localhost\n");
    tree_.file("etc/secret", "x", 0600);
    tree_.file("etc/profile.d/a.sh", "a");
    fs::permissions(tree_ / "etc/profile.d", fs::perms(0755));  // as on every machine, whatever this one's umask is
    tree_.link("etc/localtime", "../usr/share/zoneinfo/UTC");
    tree_.directory("etc/ssl");
    request_.names = {"hosts", "secret", "profile.d", "localtime", "absent", "wild*"};
    request_.files = {{"passwd", "root:x:0:0::/:\n"}};
    request_.places = {"ssl", "pki"};
  }

  std::string make() {
    KnownFiles files;
    return make_etc_view(request_, tree_ / "etc", tree_ / "state", files).value();
  }
  static std::string read(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  [[nodiscard]] bool remembers() const { return fs::exists(tree_ / "state/etc/.last"); }
  // All that was looked at changed long ago, as on a machine that has been up for a while.
  void remember_as_settled(const std::string& view) {
    std::vector<EtcSource> sources{{".", {}}, {"hosts", {}}, {"profile.d", {}}, {"profile.d/a.sh", {}}, {"localtime", {}}};
    for (EtcSource& source : sources) ASSERT_EQ(::lstat((tree_ / ("etc/" + source.name)).c_str(), &source.status), 0);
    remember_etc_view(tree_ / "state/etc/.last", "asked", fs::path(view).filename(), sources, ::time(nullptr) + 60);
  }
  std::optional<std::string> recall() { return recall_etc_view(tree_ / "state/etc/.last", "asked", tree_ / "etc"); }

  TemporaryTree tree_;
  EtcRequest request_;
};

TEST_F(EtcViewTest, HoldsCopiesOfWhatEverybodyMayReadAndPlacesForTheRest) {
  const std::string view = make();
  EXPECT_EQ(read(view + "/hosts"), "127.0.0.1 localhost\n");
  EXPECT_FALSE(fs::exists(view + "/secret"));
  EXPECT_EQ(read(view + "/profile.d/a.sh"), "a");
  EXPECT_EQ(fs::read_symlink(view + "/localtime"), "../usr/share/zoneinfo/UTC");
  EXPECT_EQ(read(view + "/passwd"), "root:x:0:0::/:\n");
  EXPECT_TRUE(fs::is_directory(view + "/ssl"));
  EXPECT_FALSE(fs::exists(view + "/pki"));
  EXPECT_EQ(make(), view);
}

TEST_F(EtcViewTest, AnotherRequestIsAnotherView) {
  const std::string view = make();
  request_.files[0].second = "user:x:1:1::/:\n";
  EXPECT_EQ(read(make() + "/passwd"), "user:x:1:1::/:\n");
  request_.places.emplace_back("pki");
  tree_.directory("etc/pki");
  EXPECT_TRUE(fs::is_directory(make() + "/pki"));
  EXPECT_NE(make(), view);
}

TEST_F(EtcViewTest, WhatChangedAMomentAgoIsNotRemembered) {
  make();
  EXPECT_FALSE(remembers());
}

TEST_F(EtcViewTest, WhatStandsStillIsFoundAgain) {
  const std::string view = make();
  remember_as_settled(view);
  EXPECT_EQ(recall(), fs::path(view).filename());
  EXPECT_EQ(recall_etc_view(tree_ / "state/etc/.last", "asked otherwise", tree_ / "etc"), std::nullopt);
}

TEST_F(EtcViewTest, EveryChangeOfASourceIsSeen) {
  const std::string view = make();
  const auto forgets = [&](const char* what, auto change) {
    remember_as_settled(view);
    EXPECT_NE(recall(), std::nullopt) << what;
    change();
    EXPECT_EQ(recall(), std::nullopt) << what;
  };
  forgets("a file written in place, its time set back", [&] {
    struct stat before {};
    ::stat((tree_ / "etc/hosts").c_str(), &before);
    std::ofstream(tree_ / "etc/hosts") << "127.0.0.2 localhost\n";
    const timespec times[2] = {before.st_atim, before.st_mtim};
    ::utimensat(AT_FDCWD, (tree_ / "etc/hosts").c_str(), times, 0);
  });
  forgets("a new name", [&] { tree_.file("etc/absent", "now here"); });
  forgets("a name that went", [&] { fs::remove(tree_ / "etc/absent"); });
  forgets("a new name below", [&] { tree_.file("etc/profile.d/b.sh", "b"); });
  forgets("a file put in the place of another", [&] {
    tree_.file("etc/profile.d/new", "a");
    fs::rename(tree_ / "etc/profile.d/new", tree_ / "etc/profile.d/a.sh");
  });
  forgets("a mode", [&] { ::chmod((tree_ / "etc/hosts").c_str(), 0600); });
  forgets("a link", [&] {
    fs::remove(tree_ / "etc/localtime");
    tree_.link("etc/localtime", "elsewhere");
  });
  forgets("the directory itself", [&] {
    fs::rename(tree_ / "etc", tree_ / "old");
    fs::copy(tree_ / "old", tree_ / "etc", fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  });
}

TEST_F(EtcViewTest, AMemoOfRubbishIsNone) {
  const std::string view = make();
  remember_as_settled(view);
  const std::string memo = tree_ / "state/etc/.last";
  const std::string whole = read(memo);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    std::ofstream(memo, std::ios::binary) << whole.substr(0, length);
    EXPECT_EQ(recall(), std::nullopt) << length;
  }
  std::ofstream(memo) << "asked ../../elsewhere 5\n" << whole.substr(whole.find('\n') + 1);
  EXPECT_EQ(recall(), std::nullopt);
  std::ofstream(memo) << "asked\n";
  EXPECT_EQ(recall(), std::nullopt);
}

}  // namespace
}  // namespace paddock
