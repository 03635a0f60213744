#include <gtest/gtest.h>

#include "harness/manifest.h"

namespace paddock {
namespace {

using Words = std::vector<std::string>;

struct Case {
  Addition addition;
  Words arguments;
  Words wanted;
};

Addition skip() {
  Addition addition;
  addition.words = {"--auto"};
  addition.suppressed_by = {"--auto", "-a"};
  return addition;
}

Addition after_run() {
  Addition addition = skip();
  addition.after_subcommands = {"run"};
  addition.never_subcommands = {"serve"};
  addition.options_with_value = {"-m"};
  return addition;
}

Addition only_exec() {
  Addition addition = skip();
  addition.only_subcommands = {"", "exec"};
  return addition;
}

TEST(Additions, StandFirstOrBehindTheirSubCommand) {
  const Case cases[] = {
      {skip(), {}, {"--auto"}},
      {skip(), {"-p", "x"}, {"--auto", "-p", "x"}},
      {skip(), {"exec", "x"}, {"--auto", "exec", "x"}},
      {after_run(), {"run", "x"}, {"run", "--auto", "x"}},
      {after_run(), {"-m", "run", "x"}, {"--auto", "-m", "run", "x"}},
      {after_run(), {"-m", "big", "run", "x"}, {"-m", "big", "run", "--auto", "x"}},
      {after_run(), {"x", "run"}, {"--auto", "x", "run"}},
      {after_run(), {"--", "run"}, {"--auto", "--", "run"}},
      {after_run(), {"serve"}, {"serve"}},
      {only_exec(), {}, {"--auto"}},
      {only_exec(), {"-v"}, {"--auto", "-v"}},
      {only_exec(), {"exec"}, {"--auto", "exec"}},
      {only_exec(), {"login"}, {"login"}},
  };
  for (const Case& one : cases) EXPECT_EQ(with_additions({one.addition}, one.arguments), one.wanted);
}

TEST(Additions, AreLeftOutWhereTheUserSaidIt) {
  for (const Words& given : std::vector<Words>{{"--auto"}, {"x", "-a"}, {"--auto=high"}, {"-a=1", "y"}}) {
    EXPECT_EQ(with_additions({skip()}, given), given);
  }
  const std::vector<Words> others = {{"--automatic"}, {"-abc"}, {"--", "--auto"}, {"auto"}};
  for (const Words& given : others) {
    Words wanted = given;
    wanted.insert(wanted.begin(), "--auto");
    EXPECT_EQ(with_additions({skip()}, given), wanted);
  }
}

TEST(Additions, SeveralStandTogetherInTheirOrder) {
  Addition second = after_run();
  second.words = {"-c", "x"};
  EXPECT_EQ(with_additions({after_run(), second}, {"run", "y"}), (Words{"run", "--auto", "-c", "x", "y"}));
  EXPECT_EQ(with_additions({skip(), second}, {"run", "y"}), (Words{"--auto", "run", "-c", "x", "y"}));
  EXPECT_EQ(with_additions({}, {"run"}), (Words{"run"}));
}

TEST(Additions, KnowTheWorkingDirectory) {
  Addition addition;
  addition.words = {"-C", "{directory}", "projects={{directory:toml}={trust=\"on\"}}"};
  EXPECT_EQ(at_directory(addition, "/a \"b\"\\\n{directory}").words,
            (Words{"-C", "/a \"b\"\\\n{directory}", "projects={\"/a \\\"b\\\"\\\\\\u000A{directory}\"={trust=\"on\"}}"}));
}

}  // namespace
}  // namespace paddock
