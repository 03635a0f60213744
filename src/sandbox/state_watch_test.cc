#include "sandbox/state_watch.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace paddock {
namespace {

using Words = std::vector<std::string>;

const Words keys{"account", "env", "projects.*.servers"};

TEST(ChangedKeys, NamesWhatWasAddedChangedAndRemoved) {
  EXPECT_EQ(changed_keys(R"({"account":"a","env":{"A":"1"}})", R"({"account":"b","projects":{"/w":{"servers":[1]}}})", keys),
            (Words{"account", "env", "projects./w.servers"}));
}

TEST(ChangedKeys, EmptyAndAbsentAreTheSame) {
  EXPECT_EQ(changed_keys("", R"({"account":null,"env":{},"projects":{"/w":{"servers":[]}}})", keys), Words{});
  EXPECT_EQ(changed_keys(R"({"other":1})", R"({"other":2})", keys), Words{});
}

TEST(ChangedKeys, ATextThatIsNoObjectHasNoKeys) {
  EXPECT_EQ(changed_keys(R"({"account":"a"})", "not json", keys), Words{"account"});
  EXPECT_EQ(changed_keys("[1]", "\"x\"", keys), Words{});
  EXPECT_EQ(changed_keys("", std::string(100'000, '['), keys), Words{});
  std::string deep = R"({"account":)";
  for (int i = 0; i < 100'000; ++i) deep += "{\"a\":";
  EXPECT_EQ(changed_keys("", deep, keys), Words{});
}

TEST(ChangedKeys, HasAMaximum) {
  std::string many = R"({"projects":{)";
  for (std::size_t i = 0; i <= changed_keys_max; ++i) many += (i == 0 ? "\"" : ",\"") + std::to_string(i) + R"(":{"servers":[1]})";
  EXPECT_EQ(changed_keys("", many + "}}", keys).size(), changed_keys_max);
}

class StateWatchTest : public testing::Test {
 protected:
  StateWatchTest() {
    std::string name = testing::TempDir() + "state-XXXXXX";
    directory_ = std::filesystem::canonical(::mkdtemp(name.data()));
  }
  ~StateWatchTest() override { std::filesystem::remove_all(directory_); }

  void write(const std::string& name, const std::string& content) { std::ofstream(directory_ / name) << content; }
  StateTree tree() const { return {directory_, {"log", "state.json", "state.json.*"}, {{"state.json", "json", {"account"}}}}; }

  std::filesystem::path directory_;
};

TEST_F(StateWatchTest, FindsNamesThatAreNewAndUnknown) {
  write("old", "");
  const StateWatch watch({tree()});
  for (const char* name : {"log", "state.json.tmp", "plugin.js", ".hidden"}) write(name, "");
  EXPECT_EQ(watch.new_names(), (Words{directory_ / ".hidden", directory_ / "plugin.js"}));
}

TEST_F(StateWatchTest, TellsOfChangedKeysAndFollowsNoLink) {
  write("state.json", R"({"account":"a"})");
  const StateWatch watch({tree()});
  EXPECT_EQ(watch.changes(), Words{});
  write("other.json", R"({"account":"a"})");
  std::filesystem::remove(directory_ / "state.json");
  std::filesystem::create_symlink("other.json", directory_ / "state.json");
  EXPECT_EQ(watch.changes(), Words{(directory_ / "state.json").string() + ": account has changed"});
}

TEST_F(StateWatchTest, ADirectoryThatIsAbsentHoldsNothing) {
  StateTree absent = tree();
  absent.directory += "/absent";
  const StateWatch watch({absent});
  EXPECT_EQ(watch.new_names(), Words{});
  EXPECT_EQ(watch.changes(), Words{});
}

}  // namespace
}  // namespace paddock
