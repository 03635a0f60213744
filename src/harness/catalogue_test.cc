#include "harness/catalogue.h"

#include <gtest/gtest.h>

#include <map>

#include "policy/embedded.h"

namespace paddock {
namespace {

ManifestReader reader_of(std::map<std::string, std::string> files) {
  ManifestReader reader;
  reader.ids = [files] {
    std::vector<std::string> ids;
    for (const auto& [id, text] : files) ids.push_back(id);
    return ids;
  };
  reader.read = [files](const std::string& id) -> Result<std::optional<ManifestText>> {
    const auto found = files.find(id);
    if (found == files.end()) return std::optional<ManifestText>();
    return std::optional<ManifestText>({found->second, "harnesses/" + id + ".toml"});
  };
  return reader;
}

TEST(Catalogue, EveryShippedManifestReads) {
  EXPECT_GE(embedded_harnesses().size(), 4u);
  for (const EmbeddedFile& file : embedded_harnesses()) {
    const auto found = find_harness(file.name, {});
    ASSERT_TRUE(found.ok()) << found.failure().message;
    EXPECT_EQ((*found)->id, file.name);
  }
  EXPECT_EQ(**find_harness("generic", {}), generic_harness());
}

TEST(Catalogue, OtherWordsAreCommandsAndNeverReachTheReader) {
  ManifestReader reader;
  reader.read = [](const std::string& id) -> Result<std::optional<ManifestText>> {
    ADD_FAILURE() << id;
    return std::optional<ManifestText>();
  };
  for (const std::string_view word : {"", "./claude", "../x", "/bin/sh", "Claude", "a b", "-x"}) {
    const auto found = find_harness(word, reader);
    ASSERT_TRUE(found.ok());
    EXPECT_FALSE(*found) << word;
  }
  EXPECT_FALSE(*find_harness("make", {}));
}

TEST(Catalogue, TheUsersFileTakesThePlaceOfAShippedOne) {
  const auto reader = reader_of({{"claude", "schema = 1\nid = \"claude\"\ndisplay = \"Mine\""}});
  EXPECT_EQ((*find_harness("claude", reader))->display, "Mine");
  EXPECT_EQ((*find_harness("claude", reader))->origin, "harnesses/claude.toml");
}

TEST(Catalogue, ABadFileHurtsOnlyWhoeverAsksForIt) {
  const auto reader = reader_of({{"bad", "schema = 1\nid = \"bad\"\nbinz = 1"}, {"odd", "schema = 1\nid = \"even\""}});
  EXPECT_TRUE(find_harness("claude", reader).ok());
  EXPECT_TRUE(find_harness("bad", reader).failure().message.starts_with("harnesses/bad.toml:3: unknown key \"binz\""));
  EXPECT_EQ(find_harness("odd", reader).failure().message,
            "harnesses/odd.toml: \"id\" is \"even\", and the file's name says \"odd\"");
  std::string ids;
  for (const ListedHarness& one : list_harnesses(reader)) ids += one.id + (one.manifest.ok() ? " " : "(bad) ");
  EXPECT_NE(ids.find(" bad(bad) claude codex "), std::string::npos) << ids;
  EXPECT_NE(ids.find("odd(bad)"), std::string::npos) << ids;
}

}  // namespace
}  // namespace paddock
