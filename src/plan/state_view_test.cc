#include "plan/state_view.h"

#include <gtest/gtest.h>

#include <algorithm>

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
  manifest.environment_pass = {"FAKE_API_KEY"};
  manifest.login = {{"FAKE_API_KEY"}, {"auth", "login"}};
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
  input.private_root = "/home/u/.local/share/paddock/private/%2Fhome%2Fu%2Fp";
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

const std::string own = "/home/u/.local/share/paddock/private/%2Fhome%2Fu%2Fp/fake/home/u/.fake";

TEST(StateView, PrivateStateLiesAtThePlaceAndTouchesNothingOfTheHosts) {
  LiteralHost host;
  host.file("/home/u/.fake/settings.json").file("/home/u/.fake/auth.json").directory(own);
  const Claimed claimed = claim(host, with(CredentialMode::private_state));
  EXPECT_EQ(claimed.table.at("/home/u/.fake/settings.json")->mount.source, own);
  EXPECT_EQ(claimed.table.at("/home/u/.fake/auth.json")->mount.source, own) << "no sign-in of the host's";
  EXPECT_TRUE(claimed.absent.empty());
  EXPECT_EQ(seeds(claimed), Words{own + "/start.json"});
}

TEST(StateView, PrivateStateIsMadeFirstAndTheHostsFilesAreNotCopied) {
  LiteralHost host;
  host.file("/home/u/.fake.json");
  Manifest manifest = agent();
  manifest.seeds.front().from = "~/.fake.json";
  StateInput input = with(CredentialMode::private_state);
  input.harness = &manifest;
  input.home = "/home/u";
  input.private_root = private_root_of("/home/u/.local/share/paddock", "/home/u/p");
  MountTable table;
  Protector protector(table, host);
  const StateResult result = claim_state(table, protector, host, input).value();
  ASSERT_EQ(result.seeds.size(), 2u);
  EXPECT_EQ(result.seeds[0].path, own);
  EXPECT_EQ(result.seeds[1].path, own + "/start.json");
  EXPECT_EQ(result.seeds[1].copy_from, "");
}

TEST(StateView, PrivateStateSaysThatItHasASignInOfItsOwn) {
  LiteralHost host;
  host.directory(own).file("/home/u/.fake/auth.json");
  EXPECT_EQ(claim(host, with(CredentialMode::private_state)).result.notes,
            Words{"Fake has a state of its own in this project and is not signed in there; sign in once inside, and it is kept: paddock run --credentials private fake auth login"});
  EXPECT_EQ(claim(host, with(CredentialMode::login)).result.notes, Words{});
  EXPECT_EQ(claim(host, with(CredentialMode::private_state, {{"FAKE_API_KEY", "k"}})).result.notes, Words{}) << "a key is given";
  host.file(own + "/auth.json");
  EXPECT_EQ(claim(host, with(CredentialMode::private_state)).result.notes, Words{}) << "it has been signed in";
}

// A payload writes in one of the directories; another one of the harness's lies in it.
TEST(StateView, ALinkInThePlaceOfPrivateStateIsRefused) {
  Manifest manifest = agent();
  manifest.state.push_back(manifest.state.front());
  manifest.state.back().path = "~/.fake/inner";
  manifest.state.back().override.clear();
  LiteralHost host;
  host.directory(own).directory("/home/u/.ssh").link(own + "/inner", "/home/u/.ssh");
  StateInput input = with(CredentialMode::private_state);
  input.harness = &manifest;
  input.home = "/home/u";
  input.private_root = private_root_of("/home/u/.local/share/paddock", "/home/u/p");
  MountTable table;
  Protector protector(table, host);
  const auto claimed = claim_state(table, protector, host, input);
  ASSERT_FALSE(claimed.ok());
  EXPECT_NE(claimed.failure().message.find("leads to /home/u/.ssh"), std::string::npos) << claimed.failure().message;
}

TEST(StateView, PrivateStateBehindALinkOfTheUsersIsTheirs) {
  LiteralHost host;
  host.directory("/data/paddock/private/%2Fhome%2Fu%2Fp/fake/home/u/.fake").link("/home/u/.local/share/paddock", "/data/paddock");
  const Claimed claimed = claim(host, with(CredentialMode::private_state));
  EXPECT_EQ(claimed.table.at("/home/u/.fake")->mount.source, "/data/paddock/private/%2Fhome%2Fu%2Fp/fake/home/u/.fake");
}

TEST(StateView, WhatIsOnlyReadStaysTheUsersUnderPrivate) {
  Manifest manifest = agent();
  manifest.state.front().access = StateAccess::read_only;
  manifest.state.front().state_class = StateClass::config;
  LiteralHost host;
  host.file("/home/u/.fake/settings.json");
  StateInput input = with(CredentialMode::private_state);
  input.harness = &manifest;
  input.home = "/home/u";
  input.private_root = private_root_of("/home/u/.local/share/paddock", "/home/u/p");
  MountTable table;
  Protector protector(table, host);
  ASSERT_TRUE(claim_state(table, protector, host, input).ok());
  EXPECT_EQ(table.at("/home/u/.fake")->mount.source, "/home/u/.fake");
  EXPECT_FALSE(table.is_writable("/home/u/.fake/settings.json"));
}

TEST(StateView, SharedIsWritableAsAWhole) {
  LiteralHost host;
  host.file("/home/u/.fake/settings.json").file("/home/u/.fake/auth.json").file("/home/u/.fake/unknown");
  const Claimed claimed = claim(host, with(CredentialMode::shared));
  for (const char* name : {"settings.json", "auth.json", "unknown", "hooks"}) EXPECT_TRUE(claimed.table.is_writable("/home/u/.fake/" + std::string(name))) << name;
  EXPECT_TRUE(claimed.absent.empty());
}

TEST(StateView, UnderMinimalASignInCanNeitherBeChangedNorAppear) {
  LiteralHost host;
  host.directory("/home/u/.fake");
  const Claimed absent = claim(host, with(CredentialMode::minimal));
  const auto found = std::ranges::find(absent.absent, "/home/u/.fake/auth.json", &AbsentProtection::path);
  ASSERT_NE(found, absent.absent.end());
  EXPECT_TRUE(found->quarantine);
  const Claimed login = claim(host, with(CredentialMode::login));
  EXPECT_EQ(std::ranges::find(login.absent, "/home/u/.fake/auth.json", &AbsentProtection::path), login.absent.end());
}

TEST(PrivateRoot, IsOneForEachProjectAndNoneLiesInAnother) {
  const Words projects = {"/", "/a", "/a/b", "/a%2Fb", "/a/fake", "/home/u/p", "/" + std::string(250, 'x'), "/" + std::string(250, 'x') + "/y", "/" + std::string(199, 'x')};
  for (const std::string& one : projects) {
    for (const std::string& other : projects) {
      if (one == other) continue;
      const std::string a = private_root_of("/d", one);
      const std::string b = private_root_of("/d", other);
      EXPECT_NE(a, b);
      // Within another one's only below a name that no harness has.
      if (a.starts_with(b + "/")) {
        EXPECT_EQ(a[b.size() + 1], '+') << a << " " << b;
      }
    }
  }
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
  EXPECT_EQ(state_trees(host, input)[0].secrets, Words{"auth.json"});
  EXPECT_EQ(state_trees(host, input)[0].code, Words{});
  input.credentials = CredentialMode::shared;
  ASSERT_EQ(state_trees(host, input).size(), 1u) << "the user's own wish: told of, and nothing moved aside";
  EXPECT_TRUE(is_known_name(state_trees(host, input)[0].known, "anything"));
  EXPECT_EQ(state_trees(host, input)[0].code, (Words{"settings.json", "snapshots"}));
  for (const CredentialMode unseen : {CredentialMode::none, CredentialMode::private_state}) {
    input.credentials = unseen;
    EXPECT_TRUE(state_trees(host, input).empty());
  }
}

}  // namespace
}  // namespace paddock
