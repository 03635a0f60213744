#include "backend/bubblewrap_argv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "backend/bubblewrap.h"
#include "base/text.h"
#include "plan/golden_for_tests.h"
#include "plan/scene_for_tests.h"

namespace paddock {
namespace {

struct Lowering {
  Plan plan;
  ProbeReport probe;
  LowerRequest request;

  explicit Lowering(Plan of, std::string program = "/usr/bin/bwrap") : plan(std::move(of)) {
    probe.program = std::move(program);
    request.plan = &plan;
    request.probe = &probe;
    request.empty_file = "/home/u/.local/state/paddock/empty";
  }
  std::string line() const { return bubblewrap_shell_line(request).value(); }
};

// One option with its operands a line.
std::string lines_of(const BubblewrapOptions& made) {
  std::string text;
  for (const std::string& option : made.options) text += (option.starts_with("--") && !text.empty() ? "\n" : text.empty() ? "" : " ") + shell_word(option);
  for (const std::string& content : made.contents) text += "\nfile:\n" + content;
  return text + "\n";
}

std::string output_of(const std::string& shell, const std::string& line) {
  const std::string command = shell + " -c " + shell_word(line) + " 2>&1";
  FILE* pipe = ::popen(command.c_str(), "r");
  std::string output;
  for (int c; pipe != nullptr && (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  if (pipe != nullptr) ::pclose(pipe);
  return output;
}

TEST(BubblewrapOptions, AreAsInTheGoldenFiles) {
  for (const NamedScene& scene : all_scenes()) {
    expect_golden("bwrap_" + scene.name + ".txt", lines_of(bubblewrap_options(scene.make().plan().value(), "/empty", nullptr, 20)));
  }
}

TEST(BubblewrapOptions, TakeTheirSourcesFromTheStage) {
  Lowering root(agent_scene().plan().value());
  Mount mask;
  mask.kind = MountKind::mask_file;
  mask.target = "/home/u/p/.env";
  root.plan.mounts.push_back(mask);
  StagedSources staged;
  for (std::size_t i = 0; i < root.plan.mounts.size(); ++i) staged.binds.push_back("/stage/" + std::to_string(i));
  staged.empty_file = "/stage/empty";
  const std::vector<std::string> options = bubblewrap_options(root.plan, "/empty", &staged, 20).options;
  for (std::size_t i = 0; i < root.plan.mounts.size(); ++i) {
    const Mount& mount = root.plan.mounts[i];
    if (mount.kind != MountKind::bind && mount.kind != MountKind::mask_file) continue;
    const std::vector<std::string> words{mount.access == MountAccess::read_only ? "--ro-bind" : "--bind", mount.kind == MountKind::bind ? staged.binds[i] : staged.empty_file, mount.target};
    EXPECT_NE(std::ranges::search(options, words).begin(), options.end()) << mount.target;
  }
  EXPECT_EQ(std::ranges::count_if(options, [](const std::string& option) { return option == "/empty"; }), 0);
}

TEST(BubblewrapOptions, WithoutAStageRootsPayloadIsRefusedUnlessItMayStayRoot) {
  Lowering root(agent_scene().plan().value());
  EXPECT_FALSE(lower_bubblewrap(root.request).ok());
  StagedSources of_another_plan{{"/stage/1"}, {}};
  root.request.staged = &of_another_plan;
  EXPECT_FALSE(lower_bubblewrap(root.request).ok());
  StagedSources staged;
  staged.binds.resize(root.plan.mounts.size());
  root.request.staged = &staged;
  EXPECT_TRUE(lower_bubblewrap(root.request)->staged);
  root.request.staged = nullptr;
  root.plan.user.kernel_root = true;
  EXPECT_FALSE(lower_bubblewrap(root.request)->staged);
}

TEST(BubblewrapArgv, LinesAreAsInTheGoldenFiles) {
  for (const NamedScene& scene : all_scenes()) {
    expect_golden("argv_" + scene.name + ".sh", Lowering(scene.make().plan().value()).line() + "\n");
  }
}

TEST(BubblewrapArgv, HoldsNoValueOfAVariableThatIsNoLiteral) {
  const std::string line = Lowering(scene_with_rules().plan().value()).line();
  EXPECT_EQ(line.find("secret-"), std::string::npos);
  EXPECT_NE(line.find(" GITHUB_TOKEN=\"$GITHUB_TOKEN\" "), std::string::npos);
  EXPECT_NE(line.find(" GIVEN=\"$GIVEN\" "), std::string::npos);
}

TEST(BubblewrapArgv, StartsInTheDirectoryAndHasNoWarden) {
  const std::string line = Lowering(project_scene("balanced").plan().value()).line();
  EXPECT_NE(line.find(" --chdir /home/u/p/src -- make test "), std::string::npos) << line;
  EXPECT_EQ(line.find("--as-pid-1"), std::string::npos);
}

TEST(BubblewrapArgv, WithoutACommandItIsTheShell) {
  Plan plan = plain_scene("balanced").plan().value();
  plan.command = {};
  EXPECT_NE(Lowering(plan).line().find(" -- /bin/sh "), std::string::npos);
}

// echo takes the place of bwrap: what it is given comes out.
TEST(BubblewrapArgv, EveryWordReachesTheProgramInEveryShell) {
  Plan plan;
  plan.directory = "/w/it's \"$HOME\" `x` \\ *\n\nnew\tline\x1b[31m\xff\xc3\xa9 -\n\n";
  plan.command = {"-n", "", " ", "%s", "'", "\n", "a\nb", "!x", "~", "#"};
  std::string wanted = "--chdir " + plan.directory + " --";
  for (const std::string& word : plan.command) wanted += " " + word;
  const std::string line = Lowering(plan, "/bin/echo").line();
  for (const char* shell : {"dash", "bash", "sh"}) EXPECT_TRUE(output_of(shell, line).ends_with(wanted + "\n")) << line << "\n" << output_of(shell, line);
}

TEST(BubblewrapArgv, IsOneLineThatATerminalTakes) {
  Plan plan;
  plan.directory = "/w/a\nb\x1b]0;x\x07\u202e";
  Mount data;
  data.kind = MountKind::data;
  data.target = "/f";
  data.content = "two\nlines\x1b\xff";
  plan.mounts = {data};
  const std::string line = Lowering(plan).line();
  EXPECT_EQ(visible(line), line);
}

// A program that reads the descriptors that the options name, in place of bwrap.
TEST(BubblewrapArgv, FilesComeOnTheirDescriptorsAndTheInputStays) {
  const std::vector<std::string> contents{"-first\n", "it's 100% \\n\n", std::string("\0\xff\x01", 3), "", std::string(200'000, 'x'), "last"};
  Plan plan;
  for (const std::string& content : contents) {
    Mount data;
    data.kind = MountKind::data;
    data.target = "/f" + std::to_string(plan.mounts.size());
    data.content = content;
    plan.mounts.push_back(data);
  }
  std::string line = Lowering(plan, "@PROGRAM@").line();
  const std::string reader = "sh -c 'cat <&3; cat <&4; cat <&5; cat <&6; cat <&7; cat <&8; cat'";
  line.replace(line.find("@PROGRAM@"), 9, reader);
  std::string wanted;
  for (const std::string& content : contents) wanted += content;
  for (const char* shell : {"dash", "bash"}) {
    // Too long for one argument: the line itself comes from a file.
    const std::string place = ::testing::TempDir() + "argv_line";
    FILE* file = std::fopen(place.c_str(), "w");
    std::fputs(line.c_str(), file);
    std::fclose(file);
    EXPECT_EQ(output_of("sh", "printf input | " + std::string(shell) + " " + place), wanted + "input") << shell;
    std::remove(place.c_str());
  }
}

TEST(BubblewrapArgv, RefusesMoreFilesThanAShellCanCarry) {
  Plan plan;
  for (std::size_t i = 0; i <= argv_files_max; ++i) {
    Mount data;
    data.kind = MountKind::data;
    plan.mounts.push_back(data);
  }
  EXPECT_FALSE(bubblewrap_shell_line(Lowering(plan).request).ok());
}

TEST(BubblewrapArgv, RefusesWhatBwrapWould) {
  Plan plan;
  plan.mounts.resize(3001);  // three words each, and bwrap takes 9000
  const auto line = bubblewrap_shell_line(Lowering(plan).request);
  ASSERT_FALSE(line.ok());
  EXPECT_NE(line.failure().message.find("9000"), std::string::npos);
}

TEST(BubblewrapArgv, LeavesOutANameThatTheShellCannotSpell) {
  Plan plan;
  plan.environment = {{"npm_config_@s:registry", ValueSource::host, {}, {}}, {"LC_a b", ValueSource::literal, "x", {}}};
  const std::string line = Lowering(plan).line();
  EXPECT_EQ(line.find("registry"), std::string::npos);
  EXPECT_NE(line.find(" 'LC_a b=x' "), std::string::npos);
}

TEST(BubblewrapArgv, LeavesOutWhatOnlyAStandInMakesTrue) {
  Plan plan = project_scene("balanced").plan().value();
  const std::string commondir = "/home/u/p/.git/commondir";
  ASSERT_NE(std::ranges::find(plan.mounts, commondir, &Mount::target), plan.mounts.end());
  EXPECT_EQ(Lowering(plan).line().find(commondir), std::string::npos);
}

}  // namespace
}  // namespace paddock
