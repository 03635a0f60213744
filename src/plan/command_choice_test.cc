#include "plan/command_choice.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/catalogue.h"
#include "plan/literal_host.h"
#include "policy/profile.h"

namespace paddock {
namespace {

using Words = std::vector<std::string>;

// What a shipped harness is started with, after its own path.
Words arguments_of(const std::string& id, Permissions permissions, Words given) {
  static LiteralHost host;
  const Manifest harness = *find_harness(id, {}).value();
  host.file("/usr/bin/" + harness.bins.front(), 0, 0755);
  ResolveInput input;
  input.policy = load_profile("balanced", {}).value();
  input.policy.permissions.state(permissions, {OriginKind::flag, "--permissions"});
  input.harness = &harness;
  input.command = std::move(given);
  input.environment = {{"PATH", "/usr/bin"}};
  Words command = choose_command(input, host, "/w/p").value().command;
  EXPECT_EQ(command.front(), "/usr/bin/" + harness.bins.front());
  return {command.begin() + 1, command.end()};
}

const std::string claude_settings = R"({"sandbox":{"enabled":false},"skipDangerousModePermissionPrompt":true})";
const Words codex_confined = {"-c", R"(projects={"/w/p"={trust_level="trusted"}})", "-c", "check_for_update_on_startup=false", "-c", "skills.bundled.enabled=false", "--no-daemon"};

Words with(Words first, const Words& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

TEST(Permissions, SkippedUnlessAskedFor) {
  EXPECT_EQ(arguments_of("claude", Permissions::skip, {"-p", "x"}), (Words{"--dangerously-skip-permissions", "--settings", claude_settings, "-p", "x"}));
  EXPECT_EQ(arguments_of("codex", Permissions::skip, {"exec", "x"}), with(with({"--dangerously-bypass-approvals-and-sandbox"}, codex_confined), {"exec", "x"}));
  EXPECT_EQ(arguments_of("opencode", Permissions::skip, {"run", "x"}), (Words{"run", "--auto", "x"}));
}

// Of what is added nothing answers a question for the user, or takes away what would have been asked about.
TEST(Permissions, AskKeepsTheHarnessesOwnChecks) {
  EXPECT_EQ(arguments_of("claude", Permissions::ask, {"-p", "x"}), (Words{"--settings", claude_settings, "-p", "x"}));
  EXPECT_EQ(arguments_of("codex", Permissions::ask, {"exec", "x"}), with(codex_confined, {"exec", "x"}));
  EXPECT_EQ(arguments_of("opencode", Permissions::ask, {"run", "x"}), (Words{"run", "x"}));
}

TEST(Permissions, EveryShippedHarnessAsksWhenAskedTo) {
  for (const ListedHarness& listed : list_harnesses({})) {
    const Manifest& manifest = listed.manifest.value();
    if (manifest.bins.empty()) continue;
    const Words asking = arguments_of(listed.id, Permissions::ask, {});
    for (const Addition& addition : manifest.skip_permissions) {
      for (const std::string& word : addition.words) EXPECT_EQ(std::ranges::count(asking, word), 0) << listed.id << ": " << word;
    }
  }
}

}  // namespace
}  // namespace paddock
