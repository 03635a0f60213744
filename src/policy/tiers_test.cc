#include "policy/tiers.h"

#include <gtest/gtest.h>

#include "policy/ceiling_load.h"
#include "policy/random_policy_for_tests.h"
#include "policy/words.h"

namespace paddock {
namespace {

const GuaranteeNames guarantees{{"calls_filtered", "abstract_hidden", "protect_absent"}, {"dies_whole"}};

PolicyFile file(OriginKind kind, std::string_view where, std::string_view toml) { return read_policy(toml, where, kind, "/home/u/p").value(); }

struct Case {
  std::string_view ceiling = {}, user = {}, project = {}, repository = {};
  std::vector<FlagUse> flags = {};
};

Tiers tiers_of(const Case& given) {
  return {read_ceiling(given.ceiling, "C", guarantees).value(), file(OriginKind::user_config, "U", given.user), file(OriginKind::project_config, "P", given.project),
          file(OriginKind::repository_config, "R", given.repository)};
}

TierContext context() {
  TierContext all{{}, guarantees, {"/home/u", "/home/u/p"}};
  all.profiles.read = [](const std::string& name) -> Result<std::optional<ProfileText>> {
    if (name == "wide") return std::optional<ProfileText>(ProfileText{"extends = \"dev\"\n[filesystem]\nread = [\"/x\"]", "profiles/wide.toml", "/"});
    if (name == "bad") return std::optional<ProfileText>(ProfileText{"[isolation]\nwithout = [\"nonsense\"]", "profiles/bad.toml", "/"});
    return std::optional<ProfileText>{};
  };
  return all;
}

Result<MergedTiers> merged(const Case& given, Standing standing = Standing::ungranted) {
  const SandboxChoice choice = read_sandbox_flags(given.flags, {"/home/u/p", guarantees, {}}).value();
  return merge_tiers(tiers_of(given), standing, choice, context());
}

std::string network(const Result<MergedTiers>& merged) {
  if (!merged) return merged.failure().message;
  return std::string(word_of(merged->policy.network.value)) + " " + merged->policy.network.origin.where;
}

constexpr std::string_view net_on = "[network]\nmode = \"on\"", net_off = "[network]\nmode = \"off\"", net_ask = "[network]\nmode = \"ask\"", net_allow = "[network]\nmode = \"allow\"";

TEST(Tiers, AWordThatIsSaidWithMoreWeightStands) {
  EXPECT_EQ(network(merged({})), "on profile balanced");
  EXPECT_EQ(network(merged({.user = net_ask})), "ask U:2");
  EXPECT_EQ(network(merged({.user = net_ask, .project = net_on})), "on P:2");
  EXPECT_EQ(network(merged({.user = net_off, .project = net_off, .flags = {{"--net", "on"}}})), "on --net");
  EXPECT_EQ(network(merged({.ceiling = net_off, .user = net_on})), "off C:2");
}

TEST(Tiers, TheRepositoryTightensAllButFlags) {
  EXPECT_EQ(network(merged({.user = net_on, .project = net_on, .repository = net_allow})), "allow R:2");
  EXPECT_EQ(network(merged({.user = net_off, .repository = net_allow})), "off U:2");
  EXPECT_EQ(network(merged({.repository = net_off, .flags = {{"--net", "on"}}})), "on --net");
  EXPECT_EQ(network(merged({.ceiling = net_allow, .repository = net_ask})), "allow C:2");
}

TEST(Tiers, AGrantLetsItWidenWhatTheUserSaysButNotTheProjectsSettingsNorTheCeiling) {
  EXPECT_EQ(network(merged({.user = net_off, .repository = net_on}, Standing::granted)), "on R:2");
  EXPECT_EQ(network(merged({.user = net_off, .project = net_ask, .repository = net_on}, Standing::granted)), "ask P:2");
  EXPECT_EQ(network(merged({.user = net_off, .project = net_on, .repository = net_allow}, Standing::granted)), "allow R:2");
  EXPECT_EQ(network(merged({.ceiling = net_ask, .user = net_off, .repository = net_on}, Standing::granted)), "ask C:2");
}

// A grant of a file that asks for nothing beyond changes nothing, whatever it says.
TEST(Tiers, AGrantOfAFileThatOnlyTightensIsNoChange) {
  RandomPolicy person(21, {}, OriginKind::user_config, "U"), project(22, {}, OriginKind::project_config, "P"), repository(23, {}, OriginKind::repository_config, "R");
  unsigned compared = 0;
  for (unsigned i = 0; i < trials(300); ++i) {
    Tiers tiers;
    tiers.user.policy = person.next();
    tiers.project.policy = project.next();
    Policy wish = repository.next();
    // Only what closes: the rest would be ignored in nearly every draw.
    wish.filesystem.read = wish.filesystem.write = {};
    wish.variables = {};
    wish.without = {};
    std::erase_if(wish.filesystem.protect, [](const PatternRule& rule) { return rule.negated; });
    tiers.repository.policy = std::move(wish);
    const auto ungranted = merge_tiers(tiers, Standing::ungranted, {}, context());
    ASSERT_TRUE(ungranted.ok());
    if (!ungranted->ignored.empty()) continue;
    ++compared;
    const auto granted = merge_tiers(tiers, Standing::granted, {}, context());
    ASSERT_TRUE(granted.ok());
    EXPECT_EQ(beyond(granted->policy, ungranted->policy), std::vector<std::string>());
    EXPECT_EQ(beyond(ungranted->policy, granted->policy), std::vector<std::string>());
  }
  EXPECT_GT(compared, 0u);
}

TEST(Tiers, TheProfileIsNamedByFlagProjectGrantedRepositoryOrUser) {
  const Case all{.user = "profile = \"dev\"", .repository = "profile = \"strict\""};
  EXPECT_EQ(merged({})->profile, "balanced");
  EXPECT_EQ(merged({.user = "profile = \"dev\""})->profile, "dev");
  EXPECT_EQ(merged(all)->profile, "dev");
  EXPECT_EQ(merged(all, Standing::granted)->profile, "strict");
  EXPECT_EQ(merged({.user = "profile = \"dev\"", .project = "profile = \"balanced\"", .repository = "profile = \"strict\""}, Standing::granted)->profile, "balanced");
  EXPECT_EQ(merged({.project = "profile = \"dev\"", .flags = {{"--profile", "strict"}}})->profile, "strict");
}

TEST(Tiers, ARepositorysProfileIsAtMostThatOneAndSaysWhereItIsNamed) {
  const auto strict = merged({.repository = "profile = \"strict\"\n[network]\nmode = \"allow\""});
  EXPECT_EQ(strict->policy.credentials.value, CredentialMode::minimal);
  EXPECT_EQ(strict->policy.credentials.origin.where, "R:1 (profile strict)");
  EXPECT_EQ(network(strict), "allow R:3");
  EXPECT_TRUE(strict->ignored.empty());
  const auto wide = merged({.repository = "profile = \"wide\""});
  EXPECT_EQ(wide->policy.environment_base.value, EnvironmentBase::minimal);
  ASSERT_FALSE(wide->ignored.empty());
  for (const Ignored& one : wide->ignored) EXPECT_EQ(one.origin.where, "R:1 (profile wide)");
  EXPECT_TRUE(wide->policy.filesystem.read.empty());
}

TEST(Tiers, AnUnknownProfileIsAMistakeOfWhoNamesIt) {
  const auto by_file = merged({.repository = "profile = \"stric\""});
  ASSERT_FALSE(by_file.ok());
  EXPECT_EQ(by_file.failure().code, ErrorCode::cannot_start);
  EXPECT_EQ(by_file.failure().message.substr(0, 39), "R:1: no profile is called \"stric\"; did ");
  EXPECT_EQ(merged({.flags = {{"--profile", "stric"}}}).failure().code, ErrorCode::usage);
  EXPECT_FALSE(merged({.project = "profile = \"bad\""}).ok());
}

TEST(Tiers, OnlyThePersonTurnsTheSandboxOffAndNobodyWhereTheCeilingForbidsIt) {
  constexpr std::string_view off = "[sandbox]\nenabled = false", on = "[sandbox]\nenabled = true", forbid = "[ceiling]\nforbid = [\"no_sandbox\"]";
  EXPECT_FALSE(merged({.user = off})->sandboxed);
  EXPECT_TRUE(merged({.user = off, .project = on})->sandboxed);
  EXPECT_FALSE(merged({.user = on, .project = off})->sandboxed);
  EXPECT_EQ(merged({.project = off})->unsandboxed_by.where, "P:2");
  EXPECT_TRUE(merged({.user = off, .repository = on})->sandboxed);
  EXPECT_TRUE(merged({.user = off, .flags = {{"--net", "off"}}})->sandboxed);
  for (const Standing standing : {Standing::ungranted, Standing::granted}) {
    const auto asked = merged({.repository = off}, standing);
    EXPECT_TRUE(asked->sandboxed);
    ASSERT_EQ(asked->ungrantable.size(), 1u);
    EXPECT_EQ(asked->ungrantable[0].origin.where, "R:2");
  }
  const auto forbidden = merged({.ceiling = forbid, .user = off});
  EXPECT_TRUE(forbidden->sandboxed);
  EXPECT_EQ(forbidden->lowered.size(), 1u);
  const auto flag = merged({.ceiling = forbid, .flags = {{"--no-sandbox", {}}}});
  ASSERT_FALSE(flag.ok());
  EXPECT_EQ(flag.failure().message, "no_sandbox: no sandbox (--no-sandbox) is beyond the ceiling of this machine, which allows only sandboxes (C:2)");
  EXPECT_TRUE(merged({.user = off, .repository = on, .flags = {{"--no-sandbox", {}}}}).ok());
}

TEST(Tiers, WhatFlagsAskBeyondTheCeilingIsOneError) {
  const auto refused = merged({.ceiling = "[network]\nmode = \"off\"\n[limits]\nwall_time = \"1h\"", .flags = {{"--net", "on"}, {"--timeout", "2h"}, {"--mask", "x"}}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.failure().code, ErrorCode::cannot_start);
  EXPECT_EQ(refused.failure().message, "network.mode: on (--net) is beyond the ceiling of this machine, which allows off (C:2)\n"
                                       "limits.wall_time: 2h (--timeout) is beyond the ceiling of this machine, which allows 1h (C:4)");
}

TEST(Tiers, TheCeilingNamesTheBackendsThatMayBeUsed) {
  constexpr std::string_view most = "[backends]\norder = [\"bubblewrap\", \"native\"]\n[backends.bubblewrap]\nprogram = \"/opt/bwrap\"";
  const auto plain = merged({.ceiling = most});
  EXPECT_EQ(plain->backends.order.value, (std::vector<std::string>{"bubblewrap", "native"}));
  EXPECT_EQ(plain->backends.bubblewrap_program.value, "/opt/bwrap");
  EXPECT_TRUE(plain->lowered.empty());
  const auto own = merged({.ceiling = most, .user = "[backends]\norder = [\"docker\", \"native\"]\n[backends.bubblewrap]\nprogram = \"/home/u/bwrap\""});
  EXPECT_EQ(own->backends.order.value, std::vector<std::string>{"native"});
  EXPECT_EQ(own->backends.bubblewrap_program.value, "/opt/bwrap");
  EXPECT_EQ(own->lowered.size(), 2u);
  EXPECT_FALSE(merged({.ceiling = most, .flags = {{"--sandbox-type", "docker"}}}).ok());
  EXPECT_TRUE(merged({.ceiling = most, .flags = {{"--sandbox-type", "native"}}}).ok());
}

// Whatever all of them say, the result is under the ceiling, and without flags the repository opens nothing.
TEST(Tiers, RandomFilesStayUnderTheCeilingAndTheRepositoryOpensNothing) {
  RandomPolicy person(31, {}, OriginKind::user_config, "U"), project(32, {}, OriginKind::project_config, "P"), repository(33, {}, OriginKind::repository_config, "R"),
      machine(34, {}, OriginKind::ceiling, "C"), command(35, {}, OriginKind::user_config, "F");
  for (unsigned i = 0; i < trials(200); ++i) {
    Tiers tiers;
    tiers.ceiling.most = machine.next();
    std::erase_if(tiers.ceiling.most.filesystem.protect, [](const PatternRule& rule) { return rule.negated; });
    tiers.user.policy = person.next();
    tiers.project.policy = project.next();
    SandboxChoice choice;
    if (i % 2 == 0) choice.overlay = command.next();
    const MergedTiers without = merge_tiers(tiers, Standing::ungranted, choice, context()).value();
    tiers.repository.policy = repository.next();
    const MergedTiers with = merge_tiers(tiers, Standing::ungranted, choice, context()).value();
    EXPECT_EQ(beyond(with.policy, without.policy), std::vector<std::string>());
    for (const Standing standing : {Standing::ungranted, Standing::granted}) {
      const MergedTiers any = merge_tiers(tiers, standing, choice, context()).value();
      EXPECT_EQ(breaches(any.policy, tiers.ceiling, context().places), std::vector<Breach>());
    }
  }
}

}  // namespace
}  // namespace paddock
