#include "policy/profile.h"

#include <gtest/gtest.h>

#include <map>

#include "policy/words.h"

namespace paddock {
namespace {

ProfileReader reader_of(std::map<std::string, std::string> files) {
  ProfileReader reader;
  reader.names = [files] {
    std::vector<std::string> names;
    for (const auto& [name, text] : files) names.push_back(name);
    return names;
  };
  reader.read = [files](const std::string& name) -> Result<std::optional<ProfileText>> {
    const auto found = files.find(name);
    if (found == files.end()) return std::optional<ProfileText>();
    return std::optional<ProfileText>({found->second, "profiles/" + name + ".toml", "/home/u"});
  };
  return reader;
}

std::string failure(std::string_view name, std::map<std::string, std::string> files) {
  const auto policy = load_profile(name, reader_of(std::move(files)));
  if (policy.ok()) return "(no error)";
  EXPECT_EQ(policy.failure().code, ErrorCode::usage);
  return policy.failure().message;
}

// The scalars as one line, so that the whole table of profiles is in sight.
std::string line_of(const Policy& policy) {
  const FilesystemPolicy& files = policy.filesystem;
  std::string line;
  const auto add = [&](std::string_view word, bool stated) {
    line += (line.empty() ? "" : " ") + std::string(stated ? word : "unstated");
  };
  add(word_of(files.world.value), files.world.stated);
  add(word_of(files.workspace.value), files.workspace.stated);
  add(word_of(files.temp.value), files.temp.stated);
  add(word_of(files.caches.value), files.caches.stated);
  add(word_of(files.toolchains.value), files.toolchains.stated);
  add(word_of(files.dotfiles.value), files.dotfiles.stated);
  add(word_of(policy.network.value), policy.network.stated);
  add(word_of(policy.environment_base.value), policy.environment_base.stated);
  add(word_of(policy.nested.value), policy.nested.stated);
  add(word_of(policy.credentials.value), policy.credentials.stated);
  add(policy.ssh_agent.value ? "agent" : "no-agent", policy.ssh_agent.stated);
  add(word_of(policy.git.value), policy.git.stated);
  add(word_of(policy.permissions.value), policy.permissions.stated);
  return line;
}

TEST(Profiles, TheShippedOnesAreTheTable) {
  const std::map<std::string, std::string> wanted = {
      {"strict", "minimal rw private none command none off minimal off minimal no-agent protected skip"},
      {"balanced", "minimal rw private harness path git on minimal browser login no-agent protected skip"},
      {"dev", "minimal rw private tools path listed on host browser login no-agent protected skip"},
  };
  for (const auto& [name, line] : wanted) {
    const auto policy = load_profile(name, {});
    ASSERT_TRUE(policy.ok()) << policy.failure().message;
    EXPECT_EQ(line_of(*policy), line);
    EXPECT_EQ(policy->limits, LimitPolicy());
    EXPECT_TRUE(policy->filesystem.mask.empty() && policy->without.empty());
    EXPECT_EQ(policy->network.origin.where, "profile " + name);
    EXPECT_FALSE(read_profile(name, {})->description.empty());
  }
}

TEST(Profiles, BuiltInValuesAreThoseOfStrict) {
  EXPECT_EQ(line_of(built_in_policy()), line_of(*load_profile("strict", {})));
}

TEST(Profiles, AnOwnOneAddsToWhatItExtendsAndKeepsEachOrigin) {
  const auto policy = load_profile("mine", reader_of({
      {"base", "extends = \"dev\"\n[network]\nmode = \"off\"\n[filesystem]\nmask = [\"a\"]"},
      {"mine", "extends = \"base\"\n[filesystem]\nmask = [\"b\"]\nread = [\"notes\"]"},
  }));
  ASSERT_TRUE(policy.ok()) << policy.failure().message;
  EXPECT_EQ(line_of(*policy), "minimal rw private tools path listed off host browser login no-agent protected skip");
  EXPECT_EQ(policy->network.origin, (Origin{OriginKind::profile, "profile base:3"}));
  EXPECT_EQ(policy->nested.origin.where, "profile dev");
  ASSERT_EQ(policy->filesystem.mask.size(), 2u);
  EXPECT_EQ(policy->filesystem.mask[0].pattern, "a");
  EXPECT_EQ(policy->filesystem.mask[1].origin.where, "profile mine:3");
  EXPECT_EQ(policy->filesystem.read[0].base, "/home/u");
}

TEST(Profiles, AnOwnOneThatExtendsNothingIsClosed) {
  const auto policy = load_profile("bare", reader_of({{"bare", ""}}));
  ASSERT_TRUE(policy.ok());
  EXPECT_EQ(*policy, built_in_policy());
}

TEST(Profiles, UnknownNamesListAllOfThem) {
  EXPECT_EQ(failure("balnced", {{"mine", ""}}),
            "no profile is called \"balnced\"; did you mean \"balanced\"? (profiles: strict, balanced, dev, mine)");
  EXPECT_EQ(failure("mine", {{"mine", "extends = \"nope\""}}),
            "profile mine:1, extends: no profile is called \"nope\" (profiles: strict, balanced, dev, mine)");
  for (const std::string_view name : {"", "../x", "a/b", ".hidden", "-x", "a\nb"}) {
    EXPECT_TRUE(failure(name, {}).starts_with("no profile is called")) << name;
  }
}

TEST(Profiles, TheNameOfAShippedOneIsTaken) {
  EXPECT_EQ(failure("balanced", {{"balanced", ""}}),
            "profiles/balanced.toml: the name \"balanced\" is taken by a profile that comes with Paddock");
}

TEST(Profiles, CirclesAndLongChainsEnd) {
  EXPECT_EQ(failure("a", {{"a", "extends = \"a\""}}), "profile a:1: profiles extend one another in a circle: a -> a");
  EXPECT_EQ(failure("a", {{"a", "extends = \"b\""}, {"b", "extends = \"a\""}}),
            "profile b:1: profiles extend one another in a circle: a -> b -> a");
  std::map<std::string, std::string> files = {{"p8", ""}};
  for (int i = 1; i < 8; ++i) files["p" + std::to_string(i)] = "extends = \"p" + std::to_string(i + 1) + "\"";
  EXPECT_TRUE(load_profile("p1", reader_of(files)).ok());
  files["p8"] = "extends = \"strict\"";
  EXPECT_TRUE(failure("p1", files).starts_with("profile p8:1: more than 8 profiles extend one another: p1 -> p2"));
}

TEST(Profiles, C163AMisspelledKeyIsNeverAnOpenDefault) {
  EXPECT_EQ(failure("mine", {{"mine", "extends = \"strict\"\n[netwrok]\nmode = \"off\""}}),
            "profiles/mine.toml:2: unknown table \"netwrok\" at the top of the file; did you mean \"network\"?");
}

TEST(Profiles, AReadersErrorIsPassedOn) {
  ProfileReader reader;
  reader.read = [](const std::string&) -> Result<std::optional<ProfileText>> {
    return error(ErrorCode::cannot_start, "permission denied");
  };
  EXPECT_EQ(load_profile("mine", reader).failure().message, "permission denied");
}

}  // namespace
}  // namespace paddock
