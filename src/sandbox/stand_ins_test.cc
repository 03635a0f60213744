#include "sandbox/stand_ins.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace paddock {
namespace {

namespace fs = std::filesystem;

class StandInsTest : public testing::Test {
 protected:
  StandInsTest() {
    std::string name = testing::TempDir() + "stand-ins-XXXXXX";
    base_ = fs::canonical(::mkdtemp(name.data()));
    state_ = base_ / "state";
    fs::create_directory(base_ / "tree");
  }
  ~StandInsTest() override { fs::remove_all(base_); }

  fs::path settings() const { return base_ / "tree/settings.json"; }
  fs::path hooks() const { return base_ / "tree/hooks"; }
  std::vector<AbsentProtection> wanted() const {
    return {{settings(), {}, true, false, "{}\n", true, {}}, {hooks(), {}, true, true, {}, true, {}}, {base_ / "tree/checked", {}, false, false, {}, true, {}}};
  }
  StandIns make() const { return StandIns::make(wanted(), state_).value(); }
  void write(const fs::path& path, const std::string& content) { std::ofstream(path) << content; }
  static std::string read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  std::size_t journals() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(state_ / "journal")) count += entry.path().filename().string().starts_with("run-") ? 1 : 0;
    return count;
  }
  // A run in another process that ends without clearing up.
  void killed_run() const {
    const pid_t child = ::fork();
    if (child == 0) {
      const StandIns made = make();
      ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
  }

  fs::path base_;
  fs::path state_;
};

TEST_F(StandInsTest, AreMadeAndRemovedWithTheirJournal) {
  {
    const StandIns made = make();
    EXPECT_EQ(read(settings()), "{}\n");
    EXPECT_TRUE(fs::is_directory(hooks()));
    EXPECT_FALSE(fs::exists(base_ / "tree/checked"));
    EXPECT_EQ(journals(), 1u);
  }
  EXPECT_TRUE(fs::is_empty(base_ / "tree"));
  EXPECT_EQ(journals(), 0u);
}

TEST_F(StandInsTest, WhatIsThereAlreadyStays) {
  write(settings(), "{\"mine\":1}\n");
  fs::create_directories(hooks() / "mine");
  { const StandIns made = make(); }
  EXPECT_EQ(read(settings()), "{\"mine\":1}\n");
  EXPECT_TRUE(fs::exists(hooks() / "mine"));
}

TEST_F(StandInsTest, WhatWasChangedOnTheHostMeanwhileStays) {
  {
    const StandIns made = make();
    write(settings(), "{\"mine\":1}\n");
  }
  EXPECT_EQ(read(settings()), "{\"mine\":1}\n");
}

TEST_F(StandInsTest, ALinkInTheirPlaceIsNotFollowed) {
  {
    const StandIns made = make();
    fs::rename(settings(), base_ / "elsewhere");
    fs::create_symlink(base_ / "elsewhere", settings());
  }
  EXPECT_TRUE(fs::is_symlink(settings()));
  EXPECT_EQ(read(base_ / "elsewhere"), "{}\n");
}

TEST_F(StandInsTest, TheyStayUntilTheLastRunThatReliesOnThemHasEnded) {
  for (const bool first_ends_first : {true, false}) {
    StandIns first = make();
    StandIns second = make();
    (first_ends_first ? first : second).remove();
    EXPECT_EQ(read(settings()), "{}\n");
    EXPECT_TRUE(fs::is_directory(hooks()));
    (first_ends_first ? second : first).remove();
    EXPECT_TRUE(fs::is_empty(base_ / "tree"));
  }
}

TEST_F(StandInsTest, ARunThatSawThemAsFilesOfTheHostSharesThem) {
  StandIns first = make();
  Plan plan;
  plan.mounts.push_back({});
  plan.mounts.back().source = settings();
  StandIns second = StandIns::make({{base_ / "tree/own", {}, true, false, {}, true, {}}}, state_).value();
  ASSERT_TRUE(second.share_with(plan).ok());
  first.remove();
  EXPECT_TRUE(fs::exists(settings()));
  EXPECT_FALSE(fs::exists(hooks()));
  second.remove();
  EXPECT_TRUE(fs::is_empty(base_ / "tree"));
}

TEST_F(StandInsTest, AKilledRunIsClearedUpAfter) {
  killed_run();
  EXPECT_TRUE(fs::exists(settings()));
  EXPECT_TRUE(recover_stand_ins(state_));
  EXPECT_TRUE(fs::is_empty(base_ / "tree"));
  EXPECT_EQ(journals(), 0u);
  EXPECT_FALSE(recover_stand_ins(state_));
}

TEST_F(StandInsTest, WhatALivingRunReliesOnIsNotClearedUp) {
  killed_run();
  {
    const StandIns living = make();
    recover_stand_ins(state_);
    EXPECT_TRUE(fs::exists(settings()));
  }
  EXPECT_TRUE(fs::is_empty(base_ / "tree"));
}

TEST_F(StandInsTest, ALineThatWasCutOffIsNotActedOn) {
  killed_run();
  fs::path journal;
  for (const auto& entry : fs::directory_iterator(state_ / "journal")) {
    if (entry.path().filename().string().starts_with("run-")) journal = entry.path();
  }
  // As if it had been killed in the middle of the line of hooks/, which happens to name an empty directory.
  std::string text = read(journal);
  text.resize(text.size() - 1);
  write(journal, text);
  EXPECT_TRUE(recover_stand_ins(state_));
  EXPECT_FALSE(fs::exists(settings()));
  EXPECT_TRUE(fs::exists(hooks()));
}

TEST_F(StandInsTest, WhatStandsThereIsKnownByItsIdentity) {
  fs::create_directory(hooks());
  const StandIns made = make();
  struct stat status {};
  for (const fs::path& path : {settings(), hooks()}) {
    ASSERT_NE(made.identity_of(path), nullptr);
    ASSERT_EQ(::lstat(path.c_str(), &status), 0);
    EXPECT_EQ(made.identity_of(path)->inode, status.st_ino);
  }
  EXPECT_EQ(made.identity_of(base_ / "tree/checked"), nullptr);
}

TEST_F(StandInsTest, AJournalOfRubbishDoesNothing) {
  fs::create_directories(state_ / "journal");
  write(state_ / "journal/run-x", "f - \nq 7b 2f\nf zz zz\nd - 2f776f726b\n\n");
  recover_stand_ins(state_);
  EXPECT_TRUE(fs::exists(base_ / "tree"));
}

TEST_F(StandInsTest, SeedsAreMadePrivateAndOnlyWhereNothingIs) {
  const std::string directory = base_ / "tree/new/deeper";
  write(base_ / "original", "copied");
  const std::vector<Seed> seeds{{directory, true, {}, {}}, {directory + "/a", false, "content", {}}, {directory + "/b", false, "x", base_ / "original"}};
  EXPECT_TRUE(make_seeds(seeds).value());
  EXPECT_EQ(fs::status(directory).permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(directory + "/a").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(read(directory + "/a") + read(directory + "/b"), "contentcopied");
  write(directory + "/a", "mine");
  (void)make_seeds(seeds).ok();
  EXPECT_EQ(read(directory + "/a"), "mine");
}

TEST_F(StandInsTest, ASeedMayHoldTheEndOfAVariable) {
  const std::string place = base_ / "tree/seed";
  const Seed seed{place, false, R"(["{end:KEY}","{end:SHORT}","{end:ABSENT}","{end:)", {}};
  ASSERT_TRUE(make_seeds({seed}, {{"KEY", "secret0123456789-abcdef\"{}"}, {"SHORT", "{end:KEY}"}}).ok());
  EXPECT_EQ(read(place), R"(["0123456789-abcdef\"{}","{end:KEY}","","{end:)");
}

}  // namespace
}  // namespace paddock
