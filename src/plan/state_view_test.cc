#include "plan/state_view.h"

#include <gtest/gtest.h>

#include "plan/literal_host.h"

namespace paddock {
namespace {

using Words = std::vector<std::string>;

Manifest agent() {
  Manifest manifest;
  manifest.id = "fake";
  manifest.display = "Fake";
  StatePath state;
  state.path = "~/.fake";
  state.override = "FAKE_HOME";
  state.exported_if_moved = true;
  state.secrets = {"auth.json"};
  state.code = {{"settings.json", false, true, "{}\n", CodeInside::protected_part}, {"snapshots", true, true, {}, CodeInside::private_directory}};
  state.data = {"log", "cache-*"};
  manifest.state = {state};
  manifest.seeds = {{"{state}/start.json", "{}", {}}};
  return manifest;
}

struct Claimed {
  MountTable table;
  StateResult result;
  std::vector<AbsentProtection> absent;
};

StateInput with(CredentialMode credentials, std::map<std::string, std::string> environment = {}) {
  StateInput input;
  input.credentials = credentials;
  input.environment = std::move(environment);
  return input;
}

Claimed claim(const LiteralHost& host, StateInput input = {}) {
  static const Manifest manifest = agent();
  input.harness = &manifest;
  input.home = "/home/u";
  input.private_root = "/home/u/.local/state/paddock/private/home/u/p";
  Claimed claimed;
  Protector protector(claimed.table, host);
  claimed.result = claim_state(claimed.table, protector, host, input).value();
  claimed.absent = protector.take_absent();
  return claimed;
}

Words seeds(const Claimed& claimed) {
  Words all;
  for (const Seed& seed : claimed.result.seeds) all.push_back(seed.path);
  return all;
}

TEST(StateView, AnAbsentDirectoryIsMadeWithWhatIsHiddenInItAndTheFirstFile) {
  LiteralHost host;
  host.directory("/home/u");
  EXPECT_EQ(seeds(claim(host)), (Words{"/home/u/.fake", "/home/u/.fake/snapshots", "/home/u/.fake/start.json"}));
}

TEST(StateView, CodeIsProtectedAndAPrivateDirectoryLiesOverItsOwn) {
  LiteralHost host;
  host.directory("/home/u/.fake/snapshots").file("/home/u/.fake/settings.json").file("/home/u/.fake/start.json");
  const Claimed claimed = claim(host);
  EXPECT_TRUE(claimed.table.is_writable("/home/u/.fake/log"));
  EXPECT_FALSE(claimed.table.is_writable("/home/u/.fake/settings.json"));
  EXPECT_EQ(claimed.table.at("/home/u/.fake/snapshots")->mount.kind, MountKind::temporary);
  EXPECT_EQ(seeds(claimed), Words{});
}

TEST(StateView, ANameThatNoListHoldsIsProtected) {
  LiteralHost host;
  host.file("/home/u/.fake/plugin.js").file("/home/u/.fake/cache-1").directory("/home/u/.fake/snapshots");
  const Claimed claimed = claim(host);
  EXPECT_FALSE(claimed.table.is_writable("/home/u/.fake/plugin.js"));
  EXPECT_TRUE(claimed.table.is_writable("/home/u/.fake/cache-1"));
}

TEST(StateView, SecretsAreReadOnlyUnderMinimalCredentialsAlone) {
  LiteralHost host;
  host.file("/home/u/.fake/auth.json");
  for (const CredentialMode mode : {CredentialMode::minimal, CredentialMode::login}) {
    EXPECT_EQ(claim(host, with(mode)).table.is_writable("/home/u/.fake/auth.json"), mode == CredentialMode::login);
  }
}

TEST(StateView, WithoutCredentialsOnlyTheFirstFileIsThereInMemory) {
  LiteralHost host;
  host.file("/home/u/.fake/auth.json");
  const Claimed claimed = claim(host, with(CredentialMode::none));
  EXPECT_FALSE(claimed.table.is_visible("/home/u/.fake/auth.json"));
  ASSERT_NE(claimed.table.at("/home/u/.fake/start.json"), nullptr);
  EXPECT_EQ(claimed.table.at("/home/u/.fake/start.json")->mount.kind, MountKind::data);
  EXPECT_EQ(seeds(claimed), Words{});
}

TEST(StateView, TheHostsVariableMovesIt) {
  LiteralHost host;
  host.directory("/data/fake").directory("/home/u");
  const Claimed claimed = claim(host, with(CredentialMode::login, {{"FAKE_HOME", "/data/fake"}}));
  EXPECT_TRUE(claimed.table.is_writable("/data/fake/log"));
  EXPECT_FALSE(claimed.table.is_visible("/home/u/.fake"));
  EXPECT_EQ(claimed.result.exported, (std::vector<std::pair<std::string, std::string>>{{"FAKE_HOME", "/data/fake"}}));
  EXPECT_TRUE(claim(host, with(CredentialMode::login, {{"FAKE_HOME", "relative"}})).result.exported.empty());
}

TEST(StateView, ADirectoryBehindLinksIsShownWhereTheyLead) {
  LiteralHost host;
  host.directory("/home/u/dotfiles/fake").link("/home/u/dots", "dotfiles").link("/home/u/.fake", "dots/fake");
  const Claimed claimed = claim(host);
  EXPECT_TRUE(claimed.table.is_writable("/home/u/dotfiles/fake/log"));
  EXPECT_EQ(claimed.table.at("/home/u/.fake")->mount.source, "dots/fake");
  EXPECT_EQ(claimed.table.at("/home/u/dots")->mount.source, "dotfiles");
  ASSERT_FALSE(claimed.absent.empty());
  EXPECT_EQ(claimed.absent.front().path, "/home/u/dotfiles/fake/settings.json");
}

TEST(StateView, AHomeBehindALinkKeepsItsPath) {
  LiteralHost host;
  host.directory("/data/home/u/.fake").link("/home", "/data/home");
  const Claimed claimed = claim(host);
  EXPECT_EQ(claimed.table.at("/home/u/.fake")->mount.source, "/data/home/u/.fake");
  EXPECT_EQ(claimed.table.at("/home"), nullptr);
  EXPECT_TRUE(claimed.table.is_writable("/data/home/u/.fake/log"));
}

TEST(StateView, APrivateCopyLiesAtThePlaceAndTouchesNothingOfTheHosts) {
  LiteralHost host;
  const std::string copy = "/home/u/.local/state/paddock/private/home/u/p/fake/home/u/.fake";
  host.file("/home/u/.fake/settings.json").directory(copy);
  const Claimed claimed = claim(host, with(CredentialMode::private_state));
  EXPECT_EQ(claimed.table.at("/home/u/.fake/settings.json")->mount.source, copy);
  EXPECT_TRUE(claimed.absent.empty());
  EXPECT_EQ(seeds(claimed), Words{copy + "/start.json"});
}

TEST(StateTrees, AreThoseThatTheHostsRunsReadLater) {
  LiteralHost host;
  host.directory("/home/u/.fake");
  const Manifest manifest = agent();
  StateInput input;
  input.harness = &manifest;
  input.home = "/home/u";
  ASSERT_EQ(state_trees(host, input).size(), 1u);
  EXPECT_EQ(state_trees(host, input)[0].directory, "/home/u/.fake");
  EXPECT_EQ(state_trees(host, input)[0].known, (Words{"log", "cache-*", "auth.json", "settings.json", "snapshots", "start.json"}));
  input.credentials = CredentialMode::shared;
  EXPECT_TRUE(state_trees(host, input).empty());
}

}  // namespace
}  // namespace paddock
