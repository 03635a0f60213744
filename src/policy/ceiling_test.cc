#include "policy/ceiling.h"

#include <gtest/gtest.h>

#include "policy/ceiling_load.h"
#include "policy/order.h"
#include "policy/profile.h"
#include "policy/words.h"

namespace paddock {
namespace {

const Places places{"/home/u", "/home/u/p"};
const GuaranteeNames guarantees{{"calls_filtered", "abstract_hidden"}, {"dies_whole"}};

Ceiling ceiling(std::string_view toml) { return read_ceiling(toml, "C", guarantees).value(); }

std::string failure(std::string_view toml) {
  const auto read = read_ceiling(toml, "C", guarantees);
  EXPECT_FALSE(read.ok());
  return read.ok() ? "" : read.failure().message;
}

Policy said(std::string_view toml) { return read_policy(toml, "U", OriginKind::user_config, "/home/u").value().policy; }

std::vector<std::string> words(const std::vector<Breach>& breaches) {
  std::vector<std::string> all;
  for (const Breach& one : breaches) all.push_back(one.key + " " + one.asked + " (" + one.origin.where + ") > " + one.allowed + " (" + one.ceiling.where + ")");
  return all;
}

using Words = std::vector<std::string>;

TEST(Ceiling, WordsAreLoweredToWhatIsAllowedAndKeepTheirOriginOtherwise) {
  const auto [policy, found] = under(said("[network]\nmode = \"on\"\n[git]\nmode = \"protected\"\n[credentials]\nssh_agent = true"),
                                     ceiling("[network]\nmode = \"allow\"\n[git]\nmode = \"real\"\n[credentials]\nssh_agent = false"), places);
  EXPECT_EQ(words(found), (Words{"network.mode on (U:2) > allow (C:2)", "credentials.ssh_agent true (U:6) > false (C:6)"}));
  EXPECT_EQ(policy.network.value, NetworkMode::allow);
  EXPECT_EQ(policy.network.origin, (Origin{OriginKind::ceiling, "C:2"}));
  EXPECT_EQ(policy.git.origin, (Origin{OriginKind::user_config, "U:4"}));
  EXPECT_FALSE(policy.ssh_agent.value);
}

TEST(Ceiling, WordsBesideEachOtherMeetInTheClosedOne) {
  EXPECT_EQ(under(said("[network]\nmode = \"local\""), ceiling("[network]\nmode = \"open\""), places).policy.network.value, NetworkMode::off);
  EXPECT_EQ(under(said("[credentials]\nmode = \"private\""), ceiling("[credentials]\nmode = \"minimal\""), places).policy.credentials.value, CredentialMode::none);
}

TEST(Ceiling, LimitsAreMaximaAndOneThatNobodyStatedIsSetWithoutABreach) {
  const auto [policy, found] = under(said("[limits]\nmemory = \"16G\"\npids = 10"), ceiling("[limits]\nmemory = \"8G\"\npids = 100\nwall_time = \"90m\"\ncpus = 1.5"), places);
  EXPECT_EQ(words(found), (Words{"limits.memory 16G (U:2) > 8G (C:2)"}));
  EXPECT_EQ(policy.limits.memory_bytes.value, std::uint64_t{8} << 30);
  EXPECT_EQ(policy.limits.processes.origin.where, "U:3");
  EXPECT_EQ(policy.limits.wall_time_ms.value, 90u * 60'000);
  EXPECT_EQ(policy.limits.cpu_milli.value, 1500u);
}

TEST(Ceiling, GrantsLieWithinTheListedPlacesAndWritableOnesCanBeRead) {
  const auto [policy, found] = under(said("[filesystem]\nread = [\"/srv/a\", \"~/docs\", \"/data/x\", \"rel\", \"/srv/../etc\"]\nwrite = [\"/data\", \"/datas\", \"/srv/b\"]"),
                                     ceiling("[filesystem]\nread = [\"/srv\", \"~/docs\"]\nwrite = [\"/data\"]"), places);
  EXPECT_EQ(words(found), (Words{"filesystem.read /home/u/rel (U:2) > /srv, ~/docs (C:2)", "filesystem.read /srv/../etc (U:2) > /srv, ~/docs (C:2)",
                                 "filesystem.write /datas (U:3) > /data (C:3)", "filesystem.write /srv/b (U:3) > /data (C:3)"}));
  EXPECT_EQ(policy.filesystem.read.size(), 3u);
  EXPECT_EQ(policy.filesystem.write.size(), 1u);
}

TEST(Ceiling, AnEmptyListAllowsNothingAndAnAbsentOneEverything) {
  const Policy policy = said("[filesystem]\nread = [\"/a\"]\nwrite = [\"/b\"]\n[environment]\npass = [\"A\"]\nset = { B = \"secret\" }\n[isolation]\nwithout = [\"calls_filtered\"]");
  EXPECT_EQ(words(breaches(policy, ceiling("[filesystem]\nread = []\nwrite = []\n[environment]\npass = [\"A\"]\n[isolation]\nwithout = []"), places)),
            (Words{"filesystem.read /a (U:2) > nothing (C:2)", "filesystem.write /b (U:3) > nothing (C:3)", "environment B=... (U:6) > A (C:5)",
                   "isolation.without calls_filtered (U:8) > nothing (C:7)"}));
  EXPECT_EQ(breaches(policy, ceiling(""), places), std::vector<Breach>());
}

TEST(Ceiling, ItsMasksProtectionsAndRequirementsAreAddedAndNothingComesBackFromBelowThem) {
  const auto [policy, found] = under(said("[filesystem]\nread = [\"/srv/keys/a\", \"/srv/x/.env\"]\nwrite = [\"~/p/deploy/x\"]\nprotect = [\"!deploy\", \"!.envrc\", \"!**\"]\n[isolation]\nwithout = [\"calls_filtered\"]"),
                                     ceiling("[filesystem]\nmask = [\"/srv/keys/**\", \"**/.env\"]\nprotect = [\"deploy/\"]\n[isolation]\nrequire = [\"calls_filtered\"]"), places);
  EXPECT_EQ(words(found), (Words{"filesystem.read /srv/keys/a (U:2) > not below /srv/keys/** (C:2)", "filesystem.read /srv/x/.env (U:2) > not below **/.env (C:2)",
                                 "filesystem.write ~/p/deploy/x (U:3) > not below deploy/ (C:3)", "filesystem.protect !deploy (U:4) > not !deploy (C:3)",
                                 "filesystem.protect !** (U:4) > not !** (C:3)", "isolation.without calls_filtered (U:6) > not calls_filtered (C:5)"}));
  EXPECT_EQ(policy.filesystem.mask.size(), 2u);
  ASSERT_EQ(policy.filesystem.protect.size(), 2u);
  EXPECT_EQ(policy.filesystem.protect[0].pattern, ".envrc");
  EXPECT_EQ(policy.filesystem.protect[1].origin.kind, OriginKind::ceiling);
  EXPECT_EQ(policy.required.size(), 1u);
}

TEST(Ceiling, WhatIsUnderItIsNotBeyondIt) {
  const Ceiling low = ceiling("[filesystem]\nworkspace = \"ro\"\nread = []\n[network]\nmode = \"off\"\n[permissions]\nmode = \"ask\"\n[limits]\npids = 5");
  for (const char* profile : {"strict", "balanced", "dev"}) {
    const Policy policy = under(load_profile(profile, {}).value(), low, places).policy;
    EXPECT_EQ(breaches(policy, low, places), std::vector<Breach>()) << profile;
  }
}

TEST(Ceiling, ForbidsRelaxationsByNameAndPattern) {
  const Ceiling low = ceiling("[ceiling]\nforbid = [\"no_sandbox\", \"grant_*\", \"without_calls_filtered\"]");
  ASSERT_NE(forbidding(low, "grant_home"), nullptr);
  EXPECT_EQ(forbidding(low, "grant_home")->origin.where, "C:2");
  EXPECT_NE(forbidding(low, "no_sandbox"), nullptr);
  EXPECT_NE(forbidding(low, "without_calls_filtered"), nullptr);
  EXPECT_EQ(forbidding(low, "network_on"), nullptr);
}

TEST(Ceiling, WhatItCannotMeanIsRefused) {
  EXPECT_EQ(failure("[ceiling]\nforbid = [\"grant_hom\"]"), "C:2: no relaxation is called \"grant_hom\"; did you mean \"grant_home\"?");
  EXPECT_EQ(failure("[ceiling]\nforbit = []"), "C:2: unknown key \"forbit\" in [ceiling]; did you mean \"forbid\"?");
  EXPECT_EQ(failure("[filesystem]\nprotect = [\"!.envrc\"]"), "C:2: \"!.envrc\" opens something, and a ceiling only closes");
  EXPECT_EQ(failure("[filesystem]\nread = [\"data\"]"), "C:2: \"data\" must be a full path, or begin with ~/");
  EXPECT_EQ(failure("[filesystem]\nread = [\"/data?\"]"), "C:2: \"/data?\": a ceiling names places, there or not");
  EXPECT_EQ(failure("[environment]\nset = { A = \"x\" }"), "C:2: a ceiling sets no variables; \"pass\" lists those that may be passed or set");
  EXPECT_EQ(failure("[isolation]\nrequire = [\"nonsense\"]").substr(0, 38), "C:2: no guarantee is called \"nonsense\"");
  EXPECT_EQ(failure("profile = \"strict\""), "C:1: \"profile\" is for config files");
  EXPECT_EQ(read_ceiling("[network]\nmode = \"of\"", "C", guarantees).failure().code, ErrorCode::cannot_start);
}

// Each enumeration's order, by every pair and triple of its words.
template <typename T>
void expect_order() {
  for (const Word<T>& a : words_of<T>()) {
    EXPECT_TRUE(at_most(a.value, a.value));
    for (const Word<T>& b : words_of<T>()) {
      EXPECT_FALSE(a.value != b.value && at_most(a.value, b.value) && at_most(b.value, a.value)) << a.text << " " << b.text;
      const T low = meet(a.value, b.value);
      EXPECT_EQ(low, meet(b.value, a.value));
      EXPECT_TRUE(at_most(low, a.value) && at_most(low, b.value));
      for (const Word<T>& c : words_of<T>()) {
        EXPECT_TRUE(!at_most(a.value, b.value) || !at_most(b.value, c.value) || at_most(a.value, c.value));
        EXPECT_TRUE(!at_most(c.value, a.value) || !at_most(c.value, b.value) || at_most(c.value, low)) << c.text;
        EXPECT_EQ(meet(meet(a.value, b.value), c.value), meet(a.value, meet(b.value, c.value)));
      }
    }
  }
}

TEST(Order, EveryEnumerationIsASemilattice) {
  expect_order<World>();
  expect_order<WorkspaceAccess>();
  expect_order<Temp>();
  expect_order<Toolchains>();
  expect_order<Dotfiles>();
  expect_order<Caches>();
  expect_order<NetworkMode>();
  expect_order<EnvironmentBase>();
  expect_order<CredentialMode>();
  expect_order<Nested>();
  expect_order<GitMode>();
  expect_order<Permissions>();
}

}  // namespace
}  // namespace paddock
