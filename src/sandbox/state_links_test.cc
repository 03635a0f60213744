#include "sandbox/state_links.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace paddock {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class StateLinksTest : public testing::Test {
 protected:
  StateLinksTest() {
    std::string name = testing::TempDir() + "links-XXXXXX";
    base_ = fs::canonical(::mkdtemp(name.data()));
    fs::create_directories(base_ / "state/deep/er");
  }
  ~StateLinksTest() override { fs::remove_all(base_); }

  void link(const std::string& name, const std::string& text) const { fs::create_symlink(text, base_ / "state" / name); }
  // Names below the directory; `named`: its other name.
  Words found(const timespec& since = {0, 0}, const std::string& named = "/named/state") const {
    Words all;
    for (const std::string& path : new_links_out(base_ / "state", named, since)) all.push_back(path.substr((base_ / "state").string().size() + 1));
    return all;
  }

  fs::path base_;
};

TEST_F(StateLinksTest, ThoseThatLeadOutAreFound) {
  link("absolute", "/etc/passwd");
  link("up", "../other");
  link("deep/er/up", "../../../other");
  link("deep/beside", (base_ / "state-2/x").string());
  EXPECT_EQ(found(), (Words{"absolute", "deep/beside", "deep/er/up", "up"}));
}

TEST_F(StateLinksTest, ThoseThatStayInsideAreLeft) {
  link("latest", "deep/log.txt");
  link("deep/er/over", "../../latest");
  link("whole", (base_ / "state/deep").string());
  link("by_name", "/named/state/deep/x");
  EXPECT_EQ(found(), Words{});
}

// Lexically inside; the kernel goes up from where the first link leads.
TEST_F(StateLinksTest, GoingUpFromWhatMayBeALinkIsGoingOut) {
  link("deep/er/top", "../..");
  link("deep/er/evil", "top/../../other");
  link("deep/er/named", "/named/state/../other");
  EXPECT_EQ(found(), (Words{"deep/er/evil", "deep/er/named"}));
}

TEST_F(StateLinksTest, PipesAreFoundAndSocketsAndFilesAreLeft) {
  ASSERT_EQ(::mkfifo((base_ / "state/pipe").c_str(), 0600), 0);
  std::ofstream(base_ / "state/file") << "x";
  EXPECT_EQ(found(), Words{"pipe"});
}

TEST_F(StateLinksTest, OlderOnesAreTheUsers) {
  link("mine", "/etc/passwd");
  EXPECT_EQ(found({1L << 40, 0}), Words{});
}

TEST_F(StateLinksTest, AnAbsentDirectoryHoldsNone) { EXPECT_EQ(new_links_out(base_ / "absent", "/n", {0, 0}), Words{}); }

}  // namespace
}  // namespace paddock
