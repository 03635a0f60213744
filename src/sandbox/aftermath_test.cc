#include "sandbox/aftermath.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/clock.h"

namespace paddock {
namespace {

namespace fs = std::filesystem;

class AftermathTest : public testing::Test {
 protected:
  AftermathTest() {
    std::string name = testing::TempDir() + "aftermath-XXXXXX";
    base_ = fs::canonical(::mkdtemp(name.data()));
    fs::create_directory(base_ / "work");
    Mount workspace;
    workspace.source = workspace.target = base_ / "work";
    workspace.access = MountAccess::read_write;
    workspace.reason = "workspace";
    plan_.mounts.push_back(workspace);
    request_.plan = &plan_;
    request_.is_harness = true;
    request_.quarantine = base_ / "aside";
  }
  ~AftermathTest() override { fs::remove_all(base_); }

  void expect_absent(const std::string& name, const std::string& link_target = {}) {
    plan_.absent.push_back({base_ / "work" / name, link_target, false, false, {}, true, {}});
  }
  void write(const std::string& name, const std::string& content = "x") {
    fs::create_directories((base_ / name).parent_path());
    std::ofstream(base_ / name) << content;
  }
  std::string look() {
    std::string text;
    std::vector<std::string> lines = look_afterwards(request_).lines;
    std::ranges::sort(lines);
    for (const std::string& line : lines) text += line.substr(line.find("/work/") + 1) + "\n";
    return text;
  }

  fs::path base_;
  Plan plan_;
  AftermathRequest request_;
};

TEST_F(AftermathTest, NothingIsSaidWhereNothingHappened) {
  expect_absent(".mcp.json");
  write("work/ordinary.txt");
  EXPECT_EQ(look(), "");
}

TEST_F(AftermathTest, ANewProtectedNameIsMovedAside) {
  expect_absent(".claude/settings.json");
  write("work/.claude/settings.json", "planted");
  EXPECT_NE(look().find("settings.json was new and the host would act on it: moved to "), std::string::npos);
  EXPECT_FALSE(fs::exists(base_ / "work/.claude/settings.json"));
  EXPECT_TRUE(fs::exists(base_ / "aside/1-settings.json"));
}

TEST_F(AftermathTest, OutsideAHarnessItIsOnlyTold) {
  request_.is_harness = false;
  expect_absent(".mcp.json");
  write("work/.mcp.json");
  EXPECT_EQ(look(), "work/.mcp.json is new: the host would act on it; look at it before you use it\n");
  EXPECT_TRUE(fs::exists(base_ / "work/.mcp.json"));
}

TEST_F(AftermathTest, ALinkAboveANameIsWhatGoes) {
  expect_absent(".claude/settings.json");
  write("outside/settings.json", "mine");
  fs::create_symlink(base_ / "outside", base_ / "work/.claude");
  look();
  EXPECT_FALSE(fs::is_symlink(base_ / "work/.claude"));
  EXPECT_TRUE(fs::exists(base_ / "outside/settings.json"));
}

TEST_F(AftermathTest, AProtectedLinkIsPutBack) {
  expect_absent("CLAUDE.md", "AGENTS.md");
  write("work/CLAUDE.md", "planted");
  EXPECT_NE(look().find("CLAUDE.md was a protected link and was replaced: put back"), std::string::npos);
  EXPECT_EQ(fs::read_symlink(base_ / "work/CLAUDE.md"), "AGENTS.md");
}

TEST_F(AftermathTest, NewNamesThatTheHostExecutesAreFoundAtAnyDepthAndOldOnesAreNot) {
  write("work/old/.envrc");
  fs::create_directories(base_ / "work/.git");
  request_.started = wall_clock();
  request_.started.tv_sec += 1;
  EXPECT_EQ(look(), "");
  request_.started.tv_sec -= 60;
  write("work/a/b/.vscode/tasks.json");
  EXPECT_EQ(look(), "work/a/b/.vscode is new or changed, and the host would act on it\n"
                    "work/old/.envrc is new or changed, and the host would act on it\n");
}

TEST_F(AftermathTest, AnUnknownNameInAStateDirectoryIsMovedAside) {
  fs::create_directory(base_ / "state");
  const StateWatch state({{base_ / "state", base_ / "state", {"log"}, {}, {}, {}}}, base_ / "own");
  request_.state = &state;
  write("state/log");
  write("state/plugin/run.js");
  look();
  EXPECT_TRUE(fs::exists(base_ / "state/log"));
  EXPECT_FALSE(fs::exists(base_ / "state/plugin"));
  EXPECT_TRUE(fs::exists(base_ / "aside/1-plugin/run.js"));
}

TEST_F(AftermathTest, WhatOthersActOnIsPutBackInPlaceWithItsMode) {
  write("state/settings.json", R"({"servers":{"mine":1},"seen":1})");
  fs::permissions(base_ / "state/settings.json", fs::perms::owner_read | fs::perms::owner_write);
  const StateWatch state({{base_ / "state", base_ / "state", {"*"}, {{"settings.json", "json", {"seen"}, {"servers"}}}, {}, {}}}, base_ / "own");
  request_.state = &state;
  write("state/settings.json", R"({"servers":{"evil":1},"seen":2})");
  const std::string said = look();
  EXPECT_NE(said.find("settings.json: seen has changed\n"), std::string::npos) << said;
  EXPECT_NE(said.find("settings.json: servers was changed and is put back: the host would act on it\n"), std::string::npos) << said;
  std::ifstream file(base_ / "state/settings.json");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), R"({"servers":{"mine":1},"seen":2})");
  EXPECT_EQ(fs::status(base_ / "state/settings.json").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(std::distance(fs::directory_iterator(base_ / "state"), {}), 1) << "nothing is left beside it";
}

TEST_F(AftermathTest, ALinkInThePlaceOfASettingsFileGoesAndTheFileComesBack) {
  write("state/settings.json", "{}");
  write("outside", "mine");
  const StateWatch state({{base_ / "state", base_ / "state", {"*"}, {{"settings.json", "json", {}, {"servers"}}}, {}, {}}}, base_ / "own");
  request_.state = &state;
  fs::remove(base_ / "state/settings.json");
  fs::create_symlink(base_ / "outside", base_ / "state/settings.json");
  look();
  EXPECT_FALSE(fs::is_symlink(base_ / "state/settings.json"));
  std::ifstream outside(base_ / "outside");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(outside), {}), "mine");
}

}  // namespace
}  // namespace paddock
