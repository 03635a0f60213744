#include "harness/state_names.h"

#include <gtest/gtest.h>

namespace paddock {
namespace {

StatePath agent_state() {
  StatePath state;
  state.path = "~/.agent";
  state.override = "AGENT_HOME";
  state.override_child = "agent";
  state.secrets = {"auth.json", "auth/token"};
  state.code = {{"hooks/x", true, true, "", CodeInside::protected_part}, {"*.toml", false, false, "", CodeInside::protected_part}};
  state.data = {"log", "*.db", "auth.json"};
  state.transcripts = {"sessions/2026"};
  state.watch = {{"state.json", "json", {"a"}}};
  return state;
}

TEST(StateNames, ThePlaceIsTheVariablesWhereItIsAPath) {
  const StatePath state = agent_state();
  EXPECT_EQ(place_of(state, {}, "/home/u"), "/home/u/.agent");
  EXPECT_EQ(place_of(state, {{"AGENT_HOME", "/x/y/"}}, "/home/u"), "/x/y/agent");
  EXPECT_EQ(place_of(state, {{"AGENT_HOME", "relative"}}, "/home/u"), "/home/u/.agent");
  EXPECT_FALSE(is_moved(StatePath{}, {{"", "/x"}}));
}

TEST(StateNames, TheStrictestClassThatHoldsANameIsItsOwn) {
  Manifest harness;
  harness.state = {agent_state()};
  harness.seeds = {{"{state}/first.json", "", ""}};
  const auto word = [&](std::string_view name) { return word_of(class_of(harness.state[0], harness, name)); };
  EXPECT_EQ(word("auth.json"), "secret");
  EXPECT_EQ(word("auth"), "secret");
  EXPECT_EQ(word("hooks"), "code");
  EXPECT_EQ(word("a.toml"), "code");
  EXPECT_EQ(word("log"), "data");
  EXPECT_EQ(word("x.db"), "data");
  EXPECT_EQ(word("state.json"), "data");
  EXPECT_EQ(word("first.json"), "data");
  EXPECT_EQ(word("sessions"), "transcript");
  EXPECT_EQ(word("x.dbx"), "unknown");
  EXPECT_EQ(word("logs"), "unknown");
}

TEST(StateNames, FirstFilesAreKnownWhereTheyLieAlone) {
  Manifest harness;
  StatePath cache = agent_state();
  cache.state_class = StateClass::cache;
  harness.state = {cache, agent_state()};
  harness.seeds = {{"{state}/first.json", "", ""}};
  EXPECT_EQ(class_of(harness.state[0], harness, "first.json"), NameClass::unknown);
  EXPECT_EQ(class_of(harness.state[1], harness, "first.json"), NameClass::data);
}

}  // namespace
}  // namespace paddock
