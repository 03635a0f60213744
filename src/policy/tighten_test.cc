#include "policy/tighten.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "policy/ceiling.h"
#include "policy/load.h"
#include "policy/profile.h"
#include "policy/random_policy_for_tests.h"

namespace paddock {
namespace {

Policy repository(std::string_view toml) { return read_policy(toml, ".paddock.toml", OriginKind::repository_config, "/home/u/p").value().policy; }
Policy user(std::string_view toml) { return merge(load_profile("balanced", {}).value(), read_policy(toml, "U", OriginKind::user_config, "/home/u").value().policy); }

std::vector<std::string> words(const Tightened& tightened) {
  std::vector<std::string> all;
  for (const Ignored& one : tightened.ignored) all.push_back(one.origin.where + " " + one.key + " " + one.asked + " < " + one.kept);
  return all;
}

using Words = std::vector<std::string>;

TEST(Tighten, TakesWhatClosesAndIgnoresWhatOpens) {
  const Tightened done = tighten(user(""), repository("[filesystem]\nworkspace = \"ro\"\ntemp = \"host\"\nread = [\"~/.ssh\"]\nmask = [\"secrets/**\"]\nprotect = [\"deploy/\", \"!.envrc\"]\n"
                                                      "[network]\nmode = \"off\"\n[environment]\nbase = \"host\"\npass = [\"TOKEN\"]\nset = { PATH = \"/evil\" }\n"
                                                      "[permissions]\nmode = \"ask\"\n[isolation]\nwithout = [\"calls_filtered\"]\nrequire = [\"abstract_hidden\"]"));
  EXPECT_EQ(words(done), (Words{".paddock.toml:3 filesystem.temp host < private", ".paddock.toml:4 filesystem.read ~/.ssh < ", ".paddock.toml:6 filesystem.protect !.envrc < ",
                                ".paddock.toml:10 environment.base host < minimal", ".paddock.toml:11 environment TOKEN < ", ".paddock.toml:12 environment PATH=... < ",
                                ".paddock.toml:16 isolation.without calls_filtered < "}));
  Policy wanted = user("");
  const Policy asked = repository("[filesystem]\nworkspace = \"ro\"\n\n\nmask = [\"secrets/**\"]\nprotect = [\"deploy/\"]\n[network]\nmode = \"off\"\n\n\n\n\n[permissions]\nmode = \"ask\"\n[isolation]\nrequire = [\"abstract_hidden\"]");
  wanted.filesystem.workspace = asked.filesystem.workspace;
  wanted.filesystem.mask = asked.filesystem.mask;
  wanted.filesystem.protect = asked.filesystem.protect;
  wanted.network.state(NetworkMode::off, {OriginKind::repository_config, ".paddock.toml:8"});
  wanted.permissions.state(Permissions::ask, {OriginKind::repository_config, ".paddock.toml:14"});
  wanted.required.push_back({"abstract_hidden", {OriginKind::repository_config, ".paddock.toml:17"}});
  EXPECT_EQ(done.policy, wanted);
}

TEST(Tighten, ALowerLimitStandsAndAHigherOneIsIgnored) {
  const Tightened done = tighten(user("[limits]\nmemory = \"8G\"\npids = 100"), repository("[limits]\nmemory = \"16G\"\npids = 50\nwall_time = \"1h\""));
  EXPECT_EQ(words(done), Words{".paddock.toml:2 limits.memory 16G < 8G"});
  EXPECT_EQ(done.policy.limits.processes.value, 50u);
  EXPECT_EQ(done.policy.limits.wall_time_ms.value, 3'600'000u);
}

TEST(Tighten, WhatIsThereAlreadyIsNeitherTakenNorToldOf) {
  const std::string_view toml = "[filesystem]\nread = [\"~/x\"]\nmask = [\"a\"]\n[environment]\npass = [\"A\"]\n[credentials]\nssh_agent = true\n[network]\nmode = \"on\"";
  const Tightened done = tighten(user(toml), repository("[environment]\npass = [\"A\"]\n[credentials]\nssh_agent = true\n[filesystem]\nmask = [\"a\"]\n[network]\nmode = \"on\""));
  EXPECT_EQ(words(done), Words());
  EXPECT_EQ(done.policy, user(toml));
}

TEST(Tighten, WordsBesideEachOtherMeetInTheClosedOneAndAreToldOf) {
  const Tightened done = tighten(user("[network]\nmode = \"allow\""), repository("[network]\nmode = \"local\""));
  EXPECT_EQ(done.policy.network.value, NetworkMode::off);
  EXPECT_EQ(words(done), Words{".paddock.toml:2 network.mode local < off"});
}

TEST(Tighten, ClosingAnOpenThingIsAFixAndTheRestIsTold) {
  const Tightened done = tighten(user("[credentials]\nssh_agent = true\nmode = \"shared\""), repository("[credentials]\nssh_agent = false\nmode = \"minimal\""));
  EXPECT_FALSE(done.policy.ssh_agent.value);
  EXPECT_EQ(done.policy.credentials.value, CredentialMode::minimal);
  EXPECT_EQ(words(done), Words());
}

class PolicyProperties : public testing::Test {
 protected:
  // A policy of a person's, whole as a profile makes it, and something that a file says.
  Policy standing() { return merge(load_profile(profiles_[turn_++ % 3], {}).value(), person_.next()); }
  Policy said() { return file_.next(); }

 private:
  static constexpr const char* profiles_[] = {"strict", "balanced", "dev"};
  unsigned turn_ = 0;
  RandomPolicy person_{7, {}, OriginKind::user_config, "U"};
  RandomPolicy file_{11, {}, OriginKind::repository_config, ".paddock.toml"};
};

TEST_F(PolicyProperties, MergeIsAssociative) {
  for (unsigned i = 0; i < trials(300); ++i) {
    const Policy a = said(), b = said(), c = said();
    ASSERT_EQ(merge(merge(a, b), c), merge(a, merge(b, c)));
  }
}

TEST_F(PolicyProperties, TighteningNeverWidensAndSettles) {
  for (unsigned i = 0; i < trials(300); ++i) {
    const Policy u = standing(), r = said();
    const Tightened done = tighten(u, r);
    ASSERT_EQ(beyond(done.policy, u), std::vector<std::string>());
    ASSERT_EQ(tighten(done.policy, r).policy, done.policy);
    ASSERT_EQ(tighten(u, Policy()).policy, u);
  }
}

// Two files after each other, in either order: the same policy but for who said it first.
TEST_F(PolicyProperties, TheOrderOfTighteningsOpensNothing) {
  for (unsigned i = 0; i < trials(300); ++i) {
    const Policy u = standing(), r = said(), s = said();
    const Policy one = tighten(tighten(u, r).policy, s).policy, other = tighten(tighten(u, s).policy, r).policy;
    ASSERT_EQ(beyond(one, other), std::vector<std::string>());
    ASSERT_EQ(beyond(other, one), std::vector<std::string>());
  }
}

// Whatever closes in the file holds afterwards, and whatever it asked beyond is told of.
TEST_F(PolicyProperties, NothingThatAFileAsksIsLostInSilence) {
  for (unsigned i = 0; i < trials(300); ++i) {
    const Policy u = standing(), r = said();
    const Tightened done = tighten(u, r);
    std::vector<std::string> told;
    for (const Ignored& one : done.ignored) told.push_back(one.key);
    Policy whole = merge(u, r);
    for (const std::string& key : beyond(whole, done.policy)) EXPECT_NE(std::ranges::find(told, key), told.end()) << key;
  }
}

TEST_F(PolicyProperties, UnderACeilingIsNeverBeyondItAndNeverBeyondThePolicy) {
  const Places places{"/home/u", "/home/u/p"};
  for (unsigned i = 0; i < trials(300); ++i) {
    const Policy u = standing();
    Ceiling ceiling;
    ceiling.most = said();
    std::erase_if(ceiling.most.filesystem.protect, [](const PatternRule& rule) { return rule.negated; });
    if (i % 2 == 0) ceiling.read.state(std::exchange(ceiling.most.filesystem.read, {}), {OriginKind::ceiling, "C:1"});
    if (i % 3 == 0) ceiling.write.state(std::exchange(ceiling.most.filesystem.write, {}), {OriginKind::ceiling, "C:2"});
    if (i % 5 == 0) ceiling.without.state({"calls_filtered"}, {OriginKind::ceiling, "C:3"});
    if (i % 7 == 0) ceiling.variables.state({"A"}, {OriginKind::ceiling, "C:4"});
    const UnderCeiling low = under(u, ceiling, places);
    ASSERT_EQ(breaches(low.policy, ceiling, places), std::vector<Breach>());
    ASSERT_EQ(beyond(low.policy, u), std::vector<std::string>());
    Policy scalars = ceiling.most;  // the lists of what opens are not its
    scalars.filesystem.read = low.policy.filesystem.read;
    scalars.filesystem.write = low.policy.filesystem.write;
    scalars.variables = low.policy.variables;
    scalars.without = low.policy.without;
    scalars.filesystem.protect.insert(scalars.filesystem.protect.end(), low.policy.filesystem.protect.begin(), low.policy.filesystem.protect.end());
    ASSERT_EQ(beyond(low.policy, scalars), std::vector<std::string>());
  }
}

// The guard of fields.h is the compiler's; this one holds the keys to what files call them.
TEST(Fields, EveryKeyIsOneThatAFileCanSay) {
  const Policy policy;
  std::vector<std::string> keys;
  for_each_field([&](auto field) { keys.emplace_back(field.key); }, policy);
  std::vector<std::string> unique = keys;
  std::ranges::sort(unique);
  EXPECT_EQ(std::ranges::adjacent_find(unique), unique.end());
  for (const std::string& key : keys) {
    const auto dot = key.find('.');
    if (dot == std::string::npos) continue;  // "environment": pass and set
    const auto read = read_policy("[" + key.substr(0, dot) + "]\n" + key.substr(dot + 1) + " = {}", "F", OriginKind::user_config, "/");
    ASSERT_FALSE(read.ok()) << key;
    EXPECT_EQ(read.failure().message.find("unknown"), std::string::npos) << key << ": " << read.failure().message;
  }
}

}  // namespace
}  // namespace paddock
