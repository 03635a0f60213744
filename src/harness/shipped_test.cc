// The manifests that come with the program: each against the help of the versions that it was checked with,
// and each way to start it as an exact command line.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "harness/catalogue.h"
#include "harness/help.h"
#include "harness/state_names.h"
#include "policy/embedded.h"

namespace paddock {
namespace {

using Words = std::vector<std::string>;

std::vector<Manifest> shipped() {
  std::vector<Manifest> all;
  for (const EmbeddedFile& file : embedded_harnesses()) {
    if (file.name != "generic") all.push_back(**find_harness(file.name, {}));
  }
  return all;
}

Manifest named(const std::string& id) { return **find_harness(id, {}); }

std::string recorded_help(const Manifest& harness, const std::string& version, const HelpCheck& check) {
  const std::string directory = std::string(PADDOCK_SOURCE_DIR "/tests/harness/help/") + harness.id + "-" + version + "/";
  return read_file(directory + join(check.command, "_") + ".txt").value();
}

TEST(Shipped, H01EveryHarnessThatIsPromisedIsThere) {
  std::set<std::string> ids;
  for (const Manifest& harness : shipped()) ids.insert(harness.id);
  for (const char* id : {"claude", "codex", "opencode", "gemini", "copilot", "qwen", "kiro", "droid", "cursor", "amp", "goose", "aider", "crush"}) {
    EXPECT_TRUE(ids.contains(id)) << id;
  }
}

TEST(Shipped, H01EachIsWhole) {
  for (const Manifest& harness : shipped()) {
    EXPECT_FALSE(harness.bins.empty()) << harness.id;
    EXPECT_FALSE(harness.homepage.empty()) << harness.id;
    EXPECT_FALSE(harness.help.empty()) << harness.id;
    EXPECT_FALSE(harness.state.empty()) << harness.id;
    EXPECT_FALSE(harness.login.variables.empty()) << harness.id;
    EXPECT_TRUE(!harness.skip_permissions.empty() || !harness.environment_skip.empty()) << harness.id;
    for (const char* name : {"continue", "oneshot"}) EXPECT_TRUE(harness.arguments.contains(name)) << harness.id << " " << name;
    for (const Addition& addition : harness.skip_permissions) {
      // The user's own word for it always stands alone.
      EXPECT_NE(std::ranges::find(addition.suppressed_by, *std::ranges::find_if(addition.words, [](const std::string& word) { return word.starts_with("-"); })),
                addition.suppressed_by.end())
          << harness.id;
    }
    for (const StatePath& state : harness.state) {
      if (state.access == StateAccess::read_write) {
        EXPECT_TRUE(!state.data.empty() || !state.transcripts.empty()) << harness.id << " " << state.path;
      }
      for (const CodePath& code : state.code) EXPECT_NE(class_of(state, harness, code.path.substr(0, code.path.find('/'))), NameClass::unknown);
    }
  }
}

TEST(Shipped, H02EveryOptionThatIsReliedOnIsInTheRecordedHelp) {
  for (const Manifest& harness : shipped()) {
    for (const std::string& version : harness.tested) {
      for (const HelpCheck& check : harness.help) {
        EXPECT_EQ(missing_flags(check, recorded_help(harness, version, check)), Words{}) << harness.id << " " << version;
      }
    }
  }
}

// What a start adds when permissions are skipped, in the order of resolve.
Words started(const Manifest& harness, const Words& given) {
  std::vector<Addition> additions = harness.skip_permissions;
  additions.insert(additions.end(), harness.inner_sandbox_off.begin(), harness.inner_sandbox_off.end());
  additions.insert(additions.end(), harness.confined.begin(), harness.confined.end());
  for (Addition& addition : additions) addition = at_directory(addition, "/w");
  return with_additions(additions, given);
}

Words filled(const Manifest& harness, const std::string& mode) {
  const auto found = harness.arguments.find(mode);
  if (found == harness.arguments.end()) return {"(none)"};
  Words words = found->second;
  const std::pair<std::string, std::string> values[] = {{"{id}", "ID"}, {"{prompt}", "a\nb"}, {"{uuid}", "UUID"}};
  for (std::string& word : words) {
    for (const auto& [name, value] : values) {
      if (const auto at = word.find(name); at != std::string::npos) word.replace(at, name.size(), value);
    }
  }
  return words;
}

struct Vector {
  const char* id;
  const char* mode;  // of `arguments`; empty: nothing is given
  Words wanted;
};

const Words codex_head = {"--dangerously-bypass-approvals-and-sandbox", "-c",
                          "projects={\"/w\"={trust_level=\"trusted\"}}", "-c", "check_for_update_on_startup=false", "-c",
                          "skills.bundled.enabled=false", "--no-daemon"};
const Words claude_head = {"--dangerously-skip-permissions", "--settings", R"({"sandbox":{"enabled":false},"skipDangerousModePermissionPrompt":true})"};

Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(Shipped, H03ExactCommandLinesOfEachMode) {
  const Vector vectors[] = {
      {"claude", "", claude_head},
      {"claude", "oneshot", claude_head + Words{"--print", "a\nb"}},
      {"claude", "continue", claude_head + Words{"--continue"}},
      {"claude", "resume", claude_head + Words{"--resume", "ID"}},
      {"claude", "set_id", claude_head + Words{"--session-id", "UUID"}},
      {"codex", "", codex_head},
      {"codex", "oneshot", codex_head + Words{"exec", "a\nb"}},
      {"codex", "continue", codex_head + Words{"resume", "--last"}},
      {"codex", "resume", codex_head + Words{"resume", "ID"}},
      {"opencode", "", {"--auto"}},
      {"opencode", "oneshot", {"run", "--auto", "a\nb"}},
      {"opencode", "continue", {"--auto", "--continue"}},
      {"opencode", "resume", {"--auto", "--session", "ID"}},
      {"gemini", "", {"--yolo", "--skip-trust"}},
      {"gemini", "oneshot", {"--yolo", "--skip-trust", "--prompt", "a\nb"}},
      {"gemini", "continue", {"--yolo", "--skip-trust", "--resume", "latest"}},
      {"gemini", "resume", {"--yolo", "--skip-trust", "--resume", "ID"}},
      {"gemini", "oneshot_continue", {"--yolo", "--skip-trust", "--resume", "latest", "--prompt", "a\nb"}},
      {"gemini", "set_id", {"--yolo", "--skip-trust", "--session-id", "UUID"}},
      {"qwen", "", {"--yolo"}},
      {"qwen", "oneshot", {"--yolo", "--prompt", "a\nb"}},
      {"qwen", "continue", {"--yolo", "--continue"}},
      {"qwen", "resume", {"--yolo", "--resume", "ID"}},
      {"copilot", "", {"--allow-all", "--no-auto-update"}},
      {"copilot", "oneshot", {"--allow-all", "--no-auto-update", "--prompt", "a\nb"}},
      {"copilot", "continue", {"--allow-all", "--no-auto-update", "--continue"}},
      {"copilot", "resume", {"--allow-all", "--no-auto-update", "--resume=ID"}},
      {"droid", "", {"--auto", "high"}},
      {"droid", "oneshot", {"exec", "--skip-permissions-unsafe", "a\nb"}},
      {"droid", "continue", {"--auto", "high", "--resume", "--last"}},
      {"droid", "resume", {"--auto", "high", "--resume", "ID"}},
      {"kiro", "", {"chat", "--trust-all-tools"}},
      {"kiro", "oneshot", {"chat", "--trust-all-tools", "--no-interactive", "a\nb"}},
      {"kiro", "continue", {"chat", "--trust-all-tools", "--resume"}},
      {"kiro", "resume", {"chat", "--trust-all-tools", "--resume-id", "ID"}},
      {"cursor", "", {"--force", "--sandbox", "disabled"}},
      {"cursor", "oneshot", {"--force", "--sandbox", "disabled", "--print", "--trust", "a\nb"}},
      {"cursor", "continue", {"--force", "--sandbox", "disabled", "--continue"}},
      {"cursor", "resume", {"--force", "--sandbox", "disabled", "--resume", "ID"}},
      {"amp", "", {"--dangerously-allow-all"}},
      {"amp", "oneshot", {"--dangerously-allow-all", "--execute", "a\nb"}},
      {"amp", "continue", {"--dangerously-allow-all", "last"}},
      {"amp", "resume", {"--dangerously-allow-all", "threads", "continue", "ID"}},
      {"goose", "", {}},
      {"goose", "oneshot", {"run", "--text", "a\nb"}},
      {"goose", "continue", {"session", "--resume"}},
      {"goose", "resume", {"session", "--resume", "--session-id", "ID"}},
      {"aider", "", {"--yes-always", "--no-check-update"}},
      {"aider", "oneshot", {"--yes-always", "--no-check-update", "--message", "a\nb"}},
      {"aider", "continue", {"--yes-always", "--no-check-update", "--restore-chat-history"}},
      {"crush", "", {"--yolo"}},
      {"crush", "oneshot", {"run", "a\nb"}},
      {"crush", "continue", {"--yolo", "--continue"}},
      {"crush", "resume", {"--yolo", "--session", "ID"}},
  };
  std::set<std::string> seen;
  for (const Vector& one : vectors) {
    const Manifest harness = named(one.id);
    EXPECT_EQ(started(harness, std::string_view(one.mode).empty() ? Words{} : filled(harness, one.mode)), one.wanted) << one.id << " " << one.mode;
    seen.insert(one.id);
  }
  for (const Manifest& harness : shipped()) EXPECT_TRUE(seen.contains(harness.id)) << harness.id << " has no vector";
}

TEST(Shipped, H03SubCommandsThatAreNoAgentAreLeftAlone) {
  const std::pair<const char*, Words> cases[] = {
      {"gemini", {"mcp", "list"}}, {"qwen", {"auth", "status"}}, {"copilot", {"login"}}, {"droid", {"mcp"}}, {"droid", {"--version"}},
      {"kiro", {"login"}}, {"kiro", {"--version"}}, {"cursor", {"login"}}, {"amp", {"login"}}, {"crush", {"login"}}, {"opencode", {"auth", "login"}},
  };
  for (const auto& [id, given] : cases) {
    const Manifest harness = named(id);
    EXPECT_EQ(with_additions(harness.skip_permissions, given), given) << id;
  }
}

TEST(Shipped, H04TheUsersOwnWordsForItSuppressOurs) {
  for (const Manifest& harness : shipped()) {
    for (const auto* list : {&harness.skip_permissions, &harness.inner_sandbox_off, &harness.confined}) {
      for (const Addition& addition : *list) {
        for (const std::string& option : addition.suppressed_by) {
          const std::string subcommand = addition.only_subcommands.empty() || addition.only_subcommands.front().empty() ? "" : addition.only_subcommands.front();
          for (const std::string& given : {option, option + "=x"}) {
            Words words = subcommand.empty() ? Words{} : Words{subcommand};
            words.push_back(given);
            EXPECT_EQ(with_additions({addition}, words), words) << harness.id << " " << given;
          }
          // Behind "--" it is no option.
          Words behind = subcommand.empty() ? Words{} : Words{subcommand};
          behind.insert(behind.end(), {"--", option});
          EXPECT_NE(with_additions({addition}, behind), behind) << harness.id << " " << option;
        }
      }
    }
  }
}

TEST(Shipped, H05TheUsersWordsStayAsTheyAre) {
  const Words given = {"", "--", "", "a\nb", "\x01\xff", "$(x) 'y' \"z\"", "--yolo", "-p"};
  for (const Manifest& harness : shipped()) {
    const Words words = started(harness, given);
    ASSERT_GE(words.size(), given.size());
    EXPECT_TRUE(std::equal(given.rbegin(), given.rend(), words.rbegin())) << harness.id;
  }
}

TEST(Shipped, H16TheirOwnSandboxesAreOff) {
  EXPECT_EQ(named("claude").inner_sandbox_off.size(), 1u);
  const Words codex = started(named("codex"), {});
  EXPECT_NE(std::ranges::find(codex, "--dangerously-bypass-approvals-and-sandbox"), codex.end());
  EXPECT_EQ(named("cursor").inner_sandbox_off.size(), 1u);
  for (const char* id : {"gemini", "qwen"}) EXPECT_EQ(named(id).environment_set.at("SANDBOX"), "paddock");
}

TEST(Shipped, H17NoAdditionHoldsASecret) {
  for (const Manifest& harness : shipped()) {
    for (const std::string& word : started(harness, {})) EXPECT_EQ(word.find("{end:"), std::string::npos) << harness.id;
    // A login's variables are passed by name alone.
    for (const std::string& name : harness.login.variables) EXPECT_FALSE(harness.environment_set.contains(name)) << harness.id;
  }
}

}  // namespace
}  // namespace paddock
