#include "sandbox/json_keys.h"

#include <gtest/gtest.h>

namespace paddock {
namespace {

using Words = std::vector<std::string>;

const Words keys{"account", "env", "projects.*.servers"};

TEST(ChangedKeys, NamesWhatWasAddedChangedAndRemoved) {
  EXPECT_EQ(changed_keys(R"({"account":"a","env":{"A":"1"}})", R"({"account":"b","projects":{"/w":{"servers":[1]}}})", keys),
            (Words{"account", "env", "projects./w.servers"}));
}

TEST(ChangedKeys, EmptyAndAbsentAreTheSame) {
  EXPECT_EQ(changed_keys("", R"({"account":null,"env":{},"projects":{"/w":{"servers":[]}}})", keys), Words{});
  EXPECT_EQ(changed_keys(R"({"other":1})", R"({"other":2})", keys), Words{});
}

TEST(ChangedKeys, ATextThatIsNoObjectHasNoKeys) {
  EXPECT_EQ(changed_keys(R"({"account":"a"})", "not json", keys), Words{"account"});
  EXPECT_EQ(changed_keys("[1]", "\"x\"", keys), Words{});
  EXPECT_EQ(changed_keys("", std::string(100'000, '['), keys), Words{});
  std::string deep = R"({"account":)";
  for (int i = 0; i < 100'000; ++i) deep += "{\"a\":";
  EXPECT_EQ(changed_keys("", deep, keys), Words{});
}

TEST(ChangedKeys, HasAMaximum) {
  std::string many = R"({"projects":{)";
  for (std::size_t i = 0; i <= changed_keys_max; ++i) many += (i == 0 ? "\"" : ",\"") + std::to_string(i) + R"(":{"servers":[1]})";
  EXPECT_EQ(changed_keys("", many + "}}", keys).size(), changed_keys_max);
}

TEST(ChangedKeys, AConditionNamesObjectsWithThatMember) {
  const Words wellknown{"*[type=wellknown]"};
  EXPECT_EQ(changed_keys(R"({"a":{"type":"api","key":"1"}})", R"({"a":{"type":"api","key":"2"},"b":{"type":"wellknown"}})", wellknown), Words{"b"});
  EXPECT_EQ(changed_keys(R"({"a":{"type":"oauth"}})", R"({"a":{"type":"wellknown"}})", wellknown), Words{"a"});
  EXPECT_EQ(changed_keys(R"({"a":{"type":"wellknown"}})", R"({"a":{"type":"oauth"}})", wellknown), Words{"a"});
  EXPECT_EQ(changed_keys("{}", R"({"a":["type"],"b":"wellknown","c":{"type":["wellknown"]}})", wellknown), Words{});
}

TEST(ChangedKeys, TheOrderOfMembersIsNoChange) {
  EXPECT_EQ(changed_keys(R"({"account":{"a":1,"b":2}})", R"({"account":{"b":2,"a":1}})", {"account"}), Words{});
}

const Words acted_on{"servers", "projects.*.servers", "*[type=wellknown]", "*.metadata"};

std::string restored(const std::string& before, const std::string& after) { return put_back(before, after, acted_on).text; }

TEST(PutBack, WhatWasAddedGoesAndWhatWasChangedIsAsItWas) {
  EXPECT_EQ(restored(R"({"servers":{"a":1},"other":1})", R"({"other":2,"servers":{"a":2,"b":3},"last":true})"), R"({"other":2,"servers":{"a":1},"last":true})");
  EXPECT_EQ(restored("", R"({"projects":{"/w":{"servers":{"x":{}},"kept":1}}})"), R"({"projects":{"/w":{"kept":1}}})");
  EXPECT_EQ(put_back("", R"({"projects":{"/w":{"servers":{"x":{}}}}})", acted_on).names, Words{"projects./w.servers"});
}

TEST(PutBack, NothingToPutBackLeavesTheTextByteForByte) {
  const std::string odd = " {\"other\" : [1,2 ],\n\"servers\":{} }\n";
  EXPECT_EQ(restored("{}", odd), odd);
  EXPECT_EQ(put_back("{}", odd, acted_on).names, Words{});
}

TEST(PutBack, WhatRefusesSomethingComesBack) {
  const Words refusing{"!projects.*.refused", "servers"};
  const std::string before = R"({"projects":{"/w":{"refused":["evil"]}},"servers":{"a":1}})";
  for (const char* after : {R"({"projects":{"/w":{"refused":[]}}})", R"({"projects":{"/w":{}}})", R"({"projects":{}})", "{}", R"({"projects":{"/w":{"refused":["other"]}}})"}) {
    EXPECT_EQ(put_back(before, after, refusing).text, R"({"projects":{"/w":{"refused":["evil"]}}})") << after;
  }
  EXPECT_EQ(only_keys(before, refusing), before);
}

TEST(PutBack, WhatIsGoneStaysGone) { EXPECT_EQ(restored(R"({"servers":{"a":1},"projects":{"/w":{"servers":[1]}}})", R"({"projects":{}})"), R"({"projects":{}})"); }

TEST(PutBack, AnEntryThatTookAnothersPlaceGivesItBack) {
  EXPECT_EQ(restored(R"({"p":{"type":"oauth","access":"1"}})", R"({"p":{"type":"wellknown","token":"x"}})"), R"({"p":{"type":"oauth","access":"1"}})");
  EXPECT_EQ(restored(R"({"p":{"type":"oauth","access":"1"}})", R"({"p":{"type":"oauth","access":"2","metadata":{"server":"x"}}})"), R"({"p":{"type":"oauth","access":"2"}})");
}

TEST(PutBack, KeepsTheIndentationAndTheLastLineEnd) {
  EXPECT_EQ(restored("{}", "{\n  \"servers\": {\n    \"x\": 1\n  },\n  \"a\": 1\n}\n"), "{\n  \"a\": 1\n}\n");
}

TEST(PutBack, OfTwoMembersWithOneNameTheLastStaysAsForJavaScript) {
  EXPECT_EQ(restored("{}", R"({"servers":{},"servers":{"x":1}})"), "{}");
  EXPECT_EQ(restored("{}", R"({"servers":{"x":1},"servers":{}})"), R"({"servers":{}})");
  EXPECT_EQ(restored("{}", R"({"a":{"b":{"c":1,"\u0063":2}},"d":[{"c":1},{"c":2}]})"), R"({"a":{"b":{"c":2}},"d":[{"c":1},{"c":2}]})");
  EXPECT_EQ(put_back("{}", R"({"z":1,"z":2})", acted_on).names, Words{"z"});
}

// Whatever was written, what others act on is as before or gone.
TEST(PutBack, LeavesNothingOfWhatWasPlanted) {
  const std::string before = R"({"servers":{"mine":1},"projects":{"/a":{"servers":[1],"x":1}},"p":{"type":"api"}})";
  const Words pieces{R"("servers":{"evil":1})", R"("servers":null)", R"("projects":{"/a":{"servers":[2]},"/b":{"servers":[3]}})", R"("projects":[])",
                     R"("projects":{"/a":5})", R"("p":{"type":"wellknown"})", R"("q":{"type":"wellknown"})", R"("p":{"metadata":{"server":"x"}})", R"("z":1)"};
  for (unsigned set = 0; set < 1u << pieces.size(); ++set) {
    std::string after = "{";
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if ((set >> i & 1) != 0) after += (after.size() > 1 ? "," : "") + pieces[i];
    }
    const std::string text = restored(before, after + "}");
    for (const std::string& path : changed_keys(before, text, acted_on)) {
      // Only what is gone may still differ.
      EXPECT_EQ(changed_keys("{}", text, {path}), Words{}) << after << " -> " << text << ": " << path;
    }
    EXPECT_EQ(text.find("evil"), std::string::npos);
    EXPECT_EQ(text.find("wellknown"), std::string::npos);
  }
}

TEST(OnlyKeys, HoldsNothingElse) {
  EXPECT_EQ(only_keys(R"({"token":"secret","servers":{"a":1},"projects":{"/w":{"servers":[1],"history":["x"]}}})", acted_on), R"({"servers":{"a":1},"projects":{"/w":{"servers":[1]}}})");
  EXPECT_EQ(only_keys("not json", acted_on), "{}");
}

TEST(OnlyKeys, GoBackIntoAWholeText) {
  const std::string whole = R"({"p":{"type":"oauth"},"servers":{"evil":1},"q":{"type":"wellknown"}})";
  EXPECT_EQ(with_keys_of(whole, R"({"servers":{"mine":1}})", acted_on), R"({"p":{"type":"oauth"},"servers":{"mine":1}})");
  EXPECT_EQ(with_keys_of("not json", R"({"servers":{"mine":1}})", acted_on), R"({"servers":{"mine":1}})");
}

TEST(JsonObject, IsWhatEveryReaderTakesForTheSame) {
  for (const std::string_view text : {"", " \n", "{}", R"({"a":1})", R"({"cut":"\ud83d"})", R"({"whole":"\ud83d\ude00","quoted":"\\ud83d"})"}) EXPECT_TRUE(is_json_object(text)) << text;
  for (const std::string_view text : {"[]", "1", "null", "{", "{}x", "{'a':1}", "{/**/}", "\x80{}", "{\"a\":\"\xff\"}"}) EXPECT_FALSE(is_json_object(text)) << text;
  EXPECT_FALSE(is_json_object(std::string(100'000, '[')));
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "{\"a\":";
  EXPECT_FALSE(is_json_object(deep + "1" + std::string(200, '}')));
}

}  // namespace
}  // namespace paddock
