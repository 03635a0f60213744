#include "doctor/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "doctor/machines_for_tests.h"

namespace paddock::doctor {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::Not;

std::string words(const Facts& facts, const PageStyle& style = {}) { return in_words(examine(facts), facts, style); }

std::size_t widest(const std::string& text) {
  std::size_t columns = 0;
  for (const std::string& line : split(text, '\n')) columns = std::max(columns, line.size());
  return columns;
}

TEST(Words, EndWithTheVerdict) {
  EXPECT_THAT(words(healthy()), HasSubstr("\nReady: everything is fine.\n"));
  Facts facts = healthy();
  facts.git = {};
  EXPECT_THAT(words(facts), HasSubstr("\nNot ready: git.program (1 not fine, 1 worth a look).\n"));
}

TEST(Words, GiveCauseFixAndWhereToRead) {
  Facts facts = healthy();
  facts.git = {};
  const std::string page = words(facts);
  EXPECT_THAT(page, HasSubstr("  FAIL git.program            git is not on PATH\n        cause: agents commit with it"));
  EXPECT_THAT(page, HasSubstr("        fix:  sudo apt install git\n"));
  EXPECT_THAT(page, HasSubstr("        see:  docs/troubleshooting.md#git.program\n"));
}

TEST(Words, ArePlainUnlessColourIsAskedFor) {
  EXPECT_EQ(words(healthy()).find('\x1b'), std::string::npos);
  EXPECT_NE(words(healthy(), {80, Ink::coloured, Marks::unicode}).find("\x1b[32m✓\x1b[0m"), std::string::npos);
}

TEST(Words, KeepToTheWidthWherePossible) {
  Facts facts = healthy();
  facts.kernel.landlock_abi = 3;
  for (const std::size_t columns : {40u, 60u, 80u, 100u}) {
    for (const std::string& line : split(words(facts, {columns, Ink::plain, Marks::ascii}), '\n')) {
      const bool has_copied_text = line.find("fix:") != std::string::npos || line.find("see:") != std::string::npos || trim(line).find(' ') == std::string_view::npos;
      if (!has_copied_text) {
        EXPECT_LE(line.size(), columns) << line;
      }
    }
  }
  EXPECT_LE(widest(words(facts, {1, Ink::plain, Marks::ascii})), 80u) << "a page narrower than forty columns is forty columns wide";
}

TEST(Words, ShowWhatATerminalWouldObey) {
  Facts facts = healthy();
  facts.harnesses[0].version = "1.0\x1b]0;owned\x07\n  FAIL git.program";
  facts.settings.distribution.name = "Evil\x1b[2J";
  facts.harnesses[0].program.found = "/home/u/\x1b[31mbin\xff";
  const std::string page = words(facts);
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
  EXPECT_EQ(page.find("\n  FAIL"), std::string::npos);
}

TEST(Json, HasEveryKeyAlways) {
  const std::string whole = as_json(examine(healthy()), healthy());
  EXPECT_THAT(whole, HasSubstr("{\"schema\":\"paddock.doctor/1\",\"version\":\"1.2.3\",\"fit\":true,\"profile\":\"balanced\","));
  EXPECT_THAT(whole, HasSubstr("{\"id\":\"git.program\",\"group\":\"git\",\"status\":\"ok\",\"required\":true,\"summary\":\"/usr/bin/git\",\"cause\":\"\",\"fix\":\"\","
                               "\"details\":[],\"facts\":{\"program\":\"/usr/bin/git\"},\"doc\":\"docs/troubleshooting.md#git.program\"}"));
  EXPECT_EQ(whole.back(), '\n');
}

TEST(Json, TakesAnyBytes) {
  Facts facts = healthy();
  facts.harnesses[0].version = "\xff\xfe\x1b";
  EXPECT_EQ(as_json(examine(facts), facts).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace paddock::doctor
