#include "plan/codec.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "plan/codec_text.h"
#include "plan/scene_for_tests.h"

namespace paddock {
namespace {

std::string with(std::string text, std::string_view part, std::string_view instead) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), instead);
}

std::string refusal(const std::string& text) {
  const Result<Plan> plan = read_plan(text);
  return plan.ok() ? "(accepted)" : plan.failure().message;
}

TEST(PlanCodec, EveryPlanComesBackAsItWas) {
  for (const NamedScene& scene : all_scenes()) {
    const Plan plan = scene.make().plan().value();
    const Result<Plan> again = read_plan(write_plan(plan));
    ASSERT_TRUE(again.ok()) << scene.name << ": " << again.failure().message;
    EXPECT_EQ(*again, plan) << scene.name;
  }
  EXPECT_EQ(read_plan(write_plan(Plan{})).value(), Plan{});
}

TEST(PlanCodec, EveryWordOfEveryEnumerationComesBack) {
  Plan plan;
  for (int kind = 0; kind <= static_cast<int>(MountKind::mask_file); ++kind) {
    Mount mount;
    mount.kind = static_cast<MountKind>(kind);
    mount.access = static_cast<MountAccess>(kind % 2);
    mount.origin.kind = static_cast<OriginKind>(kind);  // as many kinds as there are of mounts
    mount.mode = 01777;
    mount.identity = {0xFFFF'FFFF'FFFF'FFFF, 0x8000'0000'0000'0001};
    plan.mounts.push_back(mount);
  }
  for (const GitKind kind : {GitKind::none, GitKind::directory, GitKind::linked_worktree, GitKind::submodule, GitKind::linked_directory, GitKind::broken}) {
    plan.git_kind = kind;
    EXPECT_EQ(read_plan(write_plan(plan)).value(), plan);
  }
  plan.required.assign(all_guarantees().begin(), all_guarantees().end());
  EXPECT_EQ(read_plan(write_plan(plan)).value(), plan);
}

TEST(PlanCodec, BytesThatAreNoTextSurvive) {
  std::string every;
  for (int byte = 1; byte < 256; ++byte) every += static_cast<char>(byte);
  Plan plan;
  plan.workspace = "/w/" + every + "\xff\xfe\xed\xa0\x80";
  plan.directory = "/w/\u00e9 \U0001F600 \uEF80 \uEFFF";  // characters, and two that stand for bytes
  plan.command = {"a\nb", "\xee\xbe", ""};
  Mount data;
  data.kind = MountKind::data;
  data.content = std::string("\0\x80\0", 3);
  plan.mounts = {data};
  EXPECT_EQ(read_plan(write_plan(plan)).value(), plan);
}

TEST(PlanCodec, ABytesOneSpellingIsTheOnlyOne) {
  EXPECT_EQ(json_text_of("a\xff"), "a\uEFFF");
  EXPECT_EQ(bytes_of_json_text("a\uEFFF"), "a\xff");
  EXPECT_EQ(bytes_of_json_text("\uEFC3\uEFA9"), std::nullopt) << "two escaped bytes that are a character";
  EXPECT_EQ(json_text_of("\u00e9"), "\u00e9");
}

TEST(PlanCodec, HoldsNoValueOfAVariableThatIsNoLiteral) {
  const std::string text = write_plan(scene_with_rules().plan().value());
  EXPECT_EQ(text.find("secret-of-the-host"), std::string::npos);
  EXPECT_EQ(text.find("secret-given"), std::string::npos);
  Plan plan;
  plan.environment = {{"NAME", ValueSource::host, "a value that should not be here", {}}};
  EXPECT_EQ(write_plan(plan).find("should not"), std::string::npos);
  const std::string planted = with(write_plan(plan), "\"value\":null", "\"value\":\"planted\"");
  EXPECT_EQ(refusal(planted), "this is not a plan: environment[0].value: only a literal has a value here");
}

TEST(PlanCodec, RefusesWhatItDoesNotKnowAndSaysWhere) {
  Plan plan;
  plan.mounts.resize(2);
  plan.mounts[1].target = "/x";
  const std::string good = write_plan(plan);
  const auto refused = [&](std::string_view part, std::string_view instead) { return refusal(with(good, part, instead)).substr(20); };
  EXPECT_EQ(refused("\"target\":\"/x\"", "\"tarjet\":\"/x\""), "mounts[1].target: is missing");
  EXPECT_EQ(refused("\"target\":\"/x\"", "\"target\":\"/x\",\"more\":1"), "mounts[1].more: no such key");
  EXPECT_EQ(refused("\"target\":\"/x\"", "\"target\":\"/x\",\"target\":\"/y\""), "target: is there twice");
  EXPECT_EQ(refused("\"target\":\"/x\"", "\"target\":7"), "mounts[1].target: not a string");
  EXPECT_EQ(refused("\"target\":\"/x\"", "\"target\":\"/x\\u0000y\""), "mounts[1].target: a NUL byte");
  EXPECT_EQ(refused("\"kind\":\"bind\"", "\"kind\":\"rbind\""), "mounts[0].kind: \"rbind\" is none of its words");
  EXPECT_EQ(refused("\"is_directory\":true", "\"is_directory\":1"), "mounts[0].is_directory: not true or false");
  EXPECT_EQ(refused("\"device\":0", "\"device\":-1"), "mounts[0].identity.device: not a whole number in its range");
  EXPECT_EQ(refused("\"uid\":0", "\"uid\":4294967296"), "user.uid: not a whole number in its range");
  EXPECT_EQ(refused("\"mode\":\"0755\"", "\"mode\":\"0999\""), "mounts[0].mode: not four octal digits");
  EXPECT_EQ(refused("\"limits\":{", "\"limits\":[],\"x\":{"), "limits: not an object");
  EXPECT_EQ(refused("\"command\":[]", "\"command\":{}"), "command: not a list");
  EXPECT_EQ(refused("\"plan_version\":1", "\"plan_version\":2"), "plan_version: 2 is not the one that this version reads, 1");
}

TEST(PlanCodec, RefusesWhatIsNoJsonTooDeepOrTooLong) {
  EXPECT_EQ(refusal(""), "this is not a plan: not well-formed JSON");
  EXPECT_EQ(refusal(write_plan({}) + "x"), "this is not a plan: not well-formed JSON");
  EXPECT_EQ(refusal("[]"), "this is not a plan: not an object");
  EXPECT_EQ(refusal("null"), "this is not a plan: not an object");
  EXPECT_EQ(refusal(std::string(100'000, '[')), "this is not a plan: nested too deeply");
  EXPECT_EQ(refusal("{\"a\xff\":1}"), "this is not a plan: not well-formed JSON");
  EXPECT_EQ(refusal(std::string(plan_json_bytes_max + 1, ' ')), "this is not a plan: it has more than 67108864 bytes");
}

TEST(PlanCodec, RefusesMoreMountsThanAPlanMayHave) {
  const auto entries = [](std::size_t count) { return "\"mounts\":[" + join(std::vector<std::string>(count, "0"), ",") + "]"; };
  const std::string good = write_plan({});
  EXPECT_EQ(refusal(with(good, "\"mounts\":[]", entries(mounts_max))), "this is not a plan: mounts[0]: not an object");
  EXPECT_EQ(refusal(with(good, "\"mounts\":[]", entries(mounts_max + 1))), "this is not a plan: mounts: more than 20000 entries");
}

}  // namespace
}  // namespace paddock
