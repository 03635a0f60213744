#include "cli/offers.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "cli/completion.h"
#include "cli/manual.h"

namespace paddock {
namespace {

CommandRow row_with(std::string_view name, std::string_view usage) { return {name, usage, "a summary", {}, {}, false, Rest::words, nullptr}; }

Offer offer_after(const CommandRow& command, std::string_view first) {
  for (const OfferedWords& words : offered_words(command)) {
    if (words.after == first) return words.offer;
  }
  return {};
}

TEST(Offers, UsageLinesSayWhatMayStandWhere) {
  const CommandRow row = row_with("harness", "list | show NAME | check [NAME] | import FILE…");
  EXPECT_EQ(offer_after(row, ""), (Offer{OfferKind::nothing, {"list", "show", "check", "import"}}));
  EXPECT_EQ(offer_after(row, "show"), (Offer{OfferKind::harnesses, {}}));
  EXPECT_EQ(offer_after(row, "check"), (Offer{OfferKind::harnesses, {}}));
  EXPECT_EQ(offer_after(row, "import"), (Offer{OfferKind::files, {}}));
  EXPECT_EQ(offer_after(row, "list"), Offer{});
}

TEST(Offers, NamesAreLookedUpByWhatTheCommandIsAbout) {
  EXPECT_EQ(offer_after(row_with("profile", "check NAME"), "check").kind, OfferKind::profiles);
  EXPECT_EQ(offer_after(row_with("trust", "[OPTIONS] [list | DIRECTORY]"), ""), (Offer{OfferKind::directories, {"list"}}));
  EXPECT_EQ(offer_after(row_with("config", "get KEY"), "get"), Offer{});
  EXPECT_TRUE(offered_words(row_with("shell", "[OPTIONS]")).empty());
}

TEST(Offers, WordsWithoutSpacesAreAlternativesToo) {
  EXPECT_EQ(offer_after(row_with("completion", "bash|zsh|fish"), "").words, (std::vector<std::string>{"bash", "zsh", "fish"}));
}

TEST(Offers, EveryFlagHasItsValues) {
  const CommandRow* run = command_named("run");
  ASSERT_NE(run, nullptr);
  for (const OfferedOption& option : offered_options(*run)) {
    const bool is_free = option.value_name == "SIZE" || option.value_name == "NUMBER" || option.value_name == "TIME";
    if (option.value == FlagValue::none || is_free) continue;
    EXPECT_NE(option.offer, Offer{}) << option.names.front() << " " << option.value_name << ": add it to offers.cc";
  }
}

// The name as a whole word, however the script or page quotes it.
bool has_word(const std::string& text, const std::string& word) {
  const auto is_part = [](char c) { return (c >= 'a' && c <= 'z') || c == '-' || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    if ((at == 0 || !is_part(text[at - 1])) && (at + word.size() == text.size() || !is_part(text[at + word.size()]))) return true;
  }
  return false;
}

TEST(Offers, EveryOptionIsInEveryScriptAndPage) {
  const std::string bash = bash_completion(), zsh = zsh_completion(), fish = fish_completion();
  const std::string whole = manual();
  for (const CommandRow& command : commands()) {
    std::string page = manual_of(command);
    std::erase(page, '\\');
    for (const OfferedOption& option : offered_options(command)) {
      for (const std::string& name : option.names) {
        EXPECT_TRUE(has_word(bash, name)) << name;
        EXPECT_TRUE(has_word(zsh, name)) << name;
        EXPECT_TRUE(fish.find(name.starts_with("--") ? " -l " + name.substr(2) + " " : " -s " + name.substr(1) + " ") != std::string::npos) << name;
        EXPECT_NE(page.find("fB" + name + "fR"), std::string::npos) << command.name << " " << name;
      }
    }
    std::string name(command.name);
    if (const auto dash = name.find('-'); dash != std::string::npos) name.insert(dash, "\\");  // as roff wants it
    EXPECT_TRUE(has_word(whole, name)) << command.name;
  }
}

TEST(Manual, KeepsWhatRoffWouldTakeForItsOwn) {
  const CommandRow row{"odd", "", "a summary", ".TH is no macro here\nC:\\path and 'quoted' …\n\n'x", {}, false, Rest::words, nullptr};
  const std::string page = manual_of(row);
  EXPECT_NE(page.find("\n\\&.TH is no macro here\n.br\nC:\\epath and \\(aqquoted\\(aq \\[u2026]\n.PP\n"), std::string::npos) << page;
  EXPECT_EQ(page.find("\n'"), std::string::npos) << page;
}

TEST(Manual, LinesAreShortAndNoneIsAControlLineByAccident) {
  std::string words;
  for (int i = 0; i < 60; ++i) words += "word .dot ";
  const std::string page = manual_of({"odd", "", "a summary", words, {}, false, Rest::words, nullptr});
  for (const std::string& line : split(page, '\n')) {
    EXPECT_LE(line.size(), 100U) << line;
    EXPECT_FALSE(line.starts_with(".dot")) << line;
  }
}

}  // namespace
}  // namespace paddock
