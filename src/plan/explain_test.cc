#include "plan/explain.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "plan/golden_for_tests.h"
#include "plan/scene_for_tests.h"

namespace paddock {
namespace {

BackendFacts bubblewrap() {
  BackendFacts facts;
  facts.name = "bubblewrap";
  facts.version = "0.8.0";
  facts.program = "/usr/bin/bwrap";
  for (const Guarantee guarantee : all_guarantees()) {
    if (guarantee != Guarantee::limit_memory && guarantee != Guarantee::abstract_hidden) facts.held.push_back(guarantee);
  }
  facts.missing = {{"limit_memory", "no cgroup is used in this version to hold a memory limit", "leave --memory out"}};
  return facts;
}

Explanation held(const Plan& plan) {
  Explanation explanation;
  explanation.plan = &plan;
  explanation.chosen = bubblewrap();
  explanation.warnings = {"a warning\x1b[31m of the start"};
  return explanation;
}

Explanation refused(const Plan& plan) {
  Explanation explanation;
  explanation.plan = &plan;
  BackendFacts facts = bubblewrap();
  facts.unmet = facts.missing;
  BackendFacts other;
  other.name = "native";
  other.missing = other.unmet = {{"start", "it is not part of this version", ""}};
  explanation.refused = {facts, other};
  return explanation;
}

TEST(Explain, WordsAreAsInTheGoldenFiles) {
  for (const NamedScene& scene : all_scenes()) {
    const Plan plan = scene.make().plan().value();
    const bool is_held = scene.name != "dev_rules";  // it asks for a memory limit
    expect_golden("explain_" + scene.name + ".txt", explain_in_words(is_held ? held(plan) : refused(plan), Ink::plain));
  }
}

TEST(Explain, JsonIsAsInTheGoldenFilesAndHasItsKeysAlways) {
  Plan plan;
  plan.relaxations = {{"without_calls_filtered", "this guarantee was given up", {OriginKind::flag, "--without"}}};
  plan.required = {Guarantee::files_hidden, Guarantee::limit_memory};
  Explanation none;
  none.unsandboxed_by = {OriginKind::flag, "--no-sandbox"};
  expect_golden("explain.json", explain_as_json(held(plan)) + explain_as_json(refused(plan)) + explain_as_json(none));
}

TEST(Explain, FitsWhenABackendHoldsItOrNoneHasTo) {
  const Plan plan;
  EXPECT_TRUE(fits(held(plan)));
  EXPECT_FALSE(fits(refused(plan)));
  EXPECT_TRUE(fits(Explanation{}));
}

TEST(Explain, ShowsNoValueOfAVariableThatIsNoLiteral) {
  const Plan plan = scene_with_rules().plan().value();
  for (const std::string& text : {explain_in_words(held(plan), Ink::plain), explain_as_json(held(plan))}) {
    EXPECT_EQ(text.find("secret-of-the-host"), std::string::npos);
    EXPECT_EQ(text.find("secret-given"), std::string::npos);
  }
}

// Every string of a plan that anybody could choose.
Plan hostile_plan() {
  const std::string bad = "\x1b]0;title\x07\n\xff\u202e";
  const Origin origin{OriginKind::flag, bad};
  Plan plan;
  plan.profile = plan.harness = plan.workspace = plan.directory = bad;
  plan.command = plan.notes = {bad};
  plan.user.name = plan.user.home = bad;
  for (int kind = 0; kind <= static_cast<int>(MountKind::mask_file); ++kind) {
    Mount mount;
    mount.kind = static_cast<MountKind>(kind);
    mount.target = bad + std::to_string(kind);
    mount.source = mount.reason = bad;
    mount.origin = origin;
    plan.mounts.push_back(mount);
  }
  plan.environment = {{bad, ValueSource::literal, bad, origin}, {bad, ValueSource::host, "", origin}};
  plan.relaxations = {{bad, bad, origin}};
  plan.absent = {{bad, bad, true, false, bad, true, origin}, {bad, "", false, true, "", false, origin}};
  plan.seeds = {{bad, true, "", ""}, {bad, false, "", bad}};
  plan.outcomes = {{bad, bad, origin}};
  plan.choices = {{bad, bad, origin}};
  return plan;
}

TEST(Explain, NothingFromOutsideReachesTheTerminalAsItIs) {
  const Plan plan = hostile_plan();
  Explanation explanation = refused(plan);
  explanation.warnings = plan.notes;
  explanation.refused[0].name = explanation.refused[0].unmet[0].fix = plan.workspace;
  for (std::string line : split(explain_in_words(explanation, Ink::plain), '\n')) EXPECT_EQ(visible(line), line);
  const std::string json = explain_as_json(explanation);
  EXPECT_EQ(std::ranges::count_if(json, [](char c) { return static_cast<unsigned char>(c) < 0x20; }), 1) << "its line end";
}

TEST(Explain, ProseStaysWithinEightyColumns) {
  const Plan plan = scene_with_rules().plan().value();
  Explanation explanation = refused(plan);
  explanation.warnings = {"words " + join(std::vector<std::string>(60, "and more"), " ")};
  for (const std::string& line : split(explain_in_words(explanation, Ink::plain), '\n')) {
    const bool is_a_path = line.find('/') != std::string::npos || line.find('=') != std::string::npos;
    EXPECT_TRUE(line.size() <= 80 || is_a_path) << line;
  }
}

TEST(Explain, ColoursHeadingsOnlyWhenAsked) {
  const Plan plan;
  EXPECT_EQ(explain_in_words(held(plan), Ink::plain).find('\x1b'), std::string::npos);
  EXPECT_NE(explain_in_words(held(plan), Ink::coloured).find("\x1b[1mChoices\x1b[0m"), std::string::npos);
}

}  // namespace
}  // namespace paddock
