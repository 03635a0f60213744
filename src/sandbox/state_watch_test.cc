#include "sandbox/state_watch.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

namespace paddock {
namespace {

using Words = std::vector<std::string>;

constexpr timespec never{1L << 40, 0};  // no file is that new

class StateWatchTest : public testing::Test {
 protected:
  StateWatchTest() {
    std::string name = testing::TempDir() + "state-XXXXXX";
    base_ = std::filesystem::canonical(::mkdtemp(name.data()));
    directory_ = base_ / "state";
    std::filesystem::create_directory(directory_);
  }
  ~StateWatchTest() override { std::filesystem::remove_all(base_); }

  void write(const std::string& name, const std::string& content) { std::ofstream(directory_ / name) << content; }
  StateTree tree() const {
    return {directory_, directory_, {"log", "state.json", "state.json.*", "login"}, {{"state.json", "json", {"account"}, {"servers"}}}, {"login"}, {}};
  }
  StateWatch watching(std::vector<StateTree> trees) const { return StateWatch(std::move(trees), base_ / "own"); }

  std::filesystem::path base_, directory_;
};

TEST_F(StateWatchTest, FindsNamesThatAreNewAndUnknown) {
  write("old", "");
  const StateWatch watch = watching({tree()});
  for (const char* name : {"log", "state.json.tmp", "plugin.js", ".hidden"}) write(name, "");
  EXPECT_EQ(watch.new_names(), (Words{directory_ / ".hidden", directory_ / "plugin.js"}));
}

TEST_F(StateWatchTest, TellsOfChangedKeysAndFollowsNoLink) {
  write("state.json", R"({"account":"a"})");
  const StateWatch watch = watching({tree()});
  EXPECT_EQ(watch.changes(never), Words{});
  write("other.json", R"({"account":"a"})");
  std::filesystem::remove(directory_ / "state.json");
  std::filesystem::create_symlink("other.json", directory_ / "state.json");
  EXPECT_EQ(watch.changes(never), Words{(directory_ / "state.json").string() + ": account has changed"});
}

TEST_F(StateWatchTest, ADirectoryThatIsAbsentHoldsNothing) {
  StateTree absent = tree();
  absent.directory += "/absent";
  const StateWatch watch = watching({absent});
  EXPECT_EQ(watch.new_names(), Words{});
  EXPECT_EQ(watch.changes(never), Words{});
}

TEST_F(StateWatchTest, WhatOthersActOnIsPutBack) {
  write("state.json", R"({"account":"a","servers":{"mine":1}})");
  const StateWatch watch = watching({tree()});
  EXPECT_TRUE(watch.to_put_back().empty());
  write("state.json", R"({"account":"b","servers":{"mine":1,"evil":2}})");
  const auto found = watch.to_put_back();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].path, directory_ / "state.json");
  EXPECT_EQ(found[0].text, R"({"account":"b","servers":{"mine":1}})");
  EXPECT_EQ(found[0].names, Words{"servers"});
  EXPECT_FALSE(found[0].set_aside);
}

TEST_F(StateWatchTest, WhatIsNoSettingsFileAnyMoreGoesWhole) {
  const std::string before = R"({"servers":{"mine":1}})";
  write("state.json", before);
  const StateWatch watch = watching({tree()});
  const auto expect_whole = [&](const char* how) {
    const auto found = watch.to_put_back();
    ASSERT_EQ(found.size(), 1u) << how;
    EXPECT_TRUE(found[0].set_aside) << how;
    EXPECT_EQ(found[0].text, before) << how;
  };
  write("state.json", "{\"servers\":{\"evil\":1}, // said to readers of another kind\n}");
  expect_whole("a text that only some readers take");
  std::filesystem::remove(directory_ / "state.json");
  std::filesystem::create_symlink("/etc/passwd", directory_ / "state.json");
  expect_whole("a link");
  std::filesystem::remove(directory_ / "state.json");
  std::filesystem::create_directory(directory_ / "state.json");
  expect_whole("a directory");
  std::filesystem::remove(directory_ / "state.json");
  EXPECT_TRUE(watch.to_put_back().empty()) << "what is gone stays gone";
}

TEST_F(StateWatchTest, ALinkOfTheUsersIsNotCompared) {
  write("mine.json", R"({"servers":{"mine":1}})");
  std::filesystem::create_symlink("mine.json", directory_ / "state.json");
  const StateWatch watch = watching({tree()});
  write("mine.json", R"({"servers":{"evil":1}})");
  EXPECT_TRUE(watch.to_put_back().empty());
}

TEST_F(StateWatchTest, ARunThatStartsDuringAnotherOneTakesNothingPlantedForTheUsers) {
  write("state.json", R"({"servers":{"mine":1}})");
  {
    auto first = std::make_unique<StateWatch>(watching({tree()}));
    write("state.json", R"({"servers":{"evil":1}})");
    const StateWatch second = watching({tree()});
    first.reset();
    const auto found = second.to_put_back();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].text, R"({"servers":{"mine":1}})");
  }
  EXPECT_TRUE(std::filesystem::is_empty(base_ / "own/watch")) << "the last one takes it away";
  const StateWatch third = watching({tree()});
  EXPECT_TRUE(third.to_put_back().empty()) << "nobody was there: what stands there is taken for the user's";
}

TEST_F(StateWatchTest, ASignInFileThatChangedIsToldOf) {
  write("login", "one");
  const StateWatch watch = watching({tree()});
  EXPECT_EQ(watch.changes(never), Words{});
  write("login", "two");
  EXPECT_EQ(watch.changes(never), Words{(directory_ / "login").string() + " has changed: a sign-in was renewed, or is another account's"});
}

TEST_F(StateWatchTest, WhereCodeMayBeWrittenItsChangeIsToldOf) {
  write("settings", "");
  StateTree open = tree();
  open.known = {"*"};
  open.code = {"settings", "hooks", "absent"};
  std::filesystem::create_directories(directory_ / "hooks/deep");
  const StateWatch watch = watching({open});
  EXPECT_EQ(watch.changes(never), Words{});
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec -= 1;
  EXPECT_EQ(watch.changes(now), (Words{(directory_ / "settings").string() + " is new or changed, and the host will act on it",
                                       (directory_ / "hooks").string() + " is new or changed, and the host will act on it"}));
}

}  // namespace
}  // namespace paddock
