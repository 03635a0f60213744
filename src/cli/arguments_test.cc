#include "cli/arguments.h"

#include <gtest/gtest.h>

#include "cli/command.h"

namespace paddock {
namespace {

constexpr OptionRow own[] = {{"--json", {}, FlagValue::none, {}, ""}, {"--name", "-n", FlagValue::required, "NAME", ""}};

std::string first_flag(const Result<Arguments>& parsed) { return parsed->sandbox.empty() ? "" : parsed->sandbox[0].spelled + "=" + parsed->sandbox[0].value.value_or("-"); }

TEST(Arguments, EndAtTheCommandAndLeaveTheRestAlone) {
  const auto parsed = parse_arguments({"--net", "off", "claude", "--net", "on", "", "--"}, own, true, Rest::command);
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(first_flag(parsed), "--net=off");
  EXPECT_EQ(parsed->rest, (std::vector<std::string>{"claude", "--net", "on", "", "--"}));
}

TEST(Arguments, TakeEverythingAfterTwoDashes) {
  const auto parsed = parse_arguments({"--", "--json", "x"}, own, true, Rest::command);
  EXPECT_EQ(parsed->rest, (std::vector<std::string>{"--json", "x"}));
  EXPECT_FALSE(parsed->has("--json"));
}

TEST(Arguments, AWordAfterSandboxIsItsTypeOnlyWhenItNamesOne) {
  EXPECT_EQ(first_flag(parse_arguments({"--sandbox", "bubblewrap", "make"}, own, true, Rest::command)), "--sandbox=bubblewrap");
  EXPECT_EQ(first_flag(parse_arguments({"--sandbox", "make"}, own, true, Rest::command)), "--sandbox=-");
  EXPECT_EQ(first_flag(parse_arguments({"--sandbox=docker", "make"}, own, true, Rest::command)), "--sandbox=docker");
}

TEST(Arguments, NameWhatIsWrong) {
  const auto unknown = parse_arguments({"--proflie", "strict"}, own, true, Rest::command);
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.failure().code, ErrorCode::usage);
  EXPECT_EQ(unknown.failure().message, "unknown option --proflie");
  EXPECT_NE(unknown.failure().hint.find("--profile"), std::string::npos);
  const auto longer = parse_arguments({"--netwrk", "off"}, own, true, Rest::command);
  ASSERT_FALSE(longer.ok());
  EXPECT_NE(longer.failure().hint.find("--net"), std::string::npos);
  EXPECT_FALSE(parse_arguments({"--net"}, own, true, Rest::command).ok());
  EXPECT_FALSE(parse_arguments({"--json=1"}, own, true, Rest::command).ok());
  EXPECT_FALSE(parse_arguments({"--net", "off"}, own, false, Rest::command).ok());
}

TEST(Commands, HaveAHelpThatNamesEveryOption) {
  for (const CommandRow& command : commands()) {
    const std::string help = help_of(command);
    for (const OptionRow& option : command.options) EXPECT_NE(help.find(option.name), std::string::npos) << command.name;
    if (!command.takes_sandbox_flags) continue;
    for (const SandboxFlagRow& flag : sandbox_flags()) EXPECT_NE(help.find(flag.name), std::string::npos) << command.name;
  }
}

}  // namespace
}  // namespace paddock
