#include "policy/toml_tree.h"

#include <gtest/gtest.h>

#include "policy/embedded.h"

namespace paddock {
namespace {

TEST(TomlTree, HoldsEveryKindOfValue) {
  const std::string text = "text = \"a\\u0000b\"\nempty = \"\"\nnumber = -5\nreal = 0.25\nyes = true\nno = false\n"
                           "list = [\"x\", 1, [], {}]\n[table.below]\nkey = 1\n[[many]]\nn = 1\n[[many]]\nn = 2\n";
  const auto parsed = parse_toml(text, "x", ErrorCode::usage);
  ASSERT_TRUE(parsed.ok()) << parsed.failure().message;
  const TomlValue& value = *parsed;
  EXPECT_EQ(read_tree(write_tree(value)), value);
  EXPECT_EQ(read_tree(write_tree(TomlValue{})), TomlValue{});
}

TEST(TomlTree, AFileOfShareIsWhatItsTextSays) {
  ASSERT_GE(embedded_profiles().size(), 3u);
  for (const EmbeddedFile& file : embedded_profiles()) {
    EXPECT_EQ(parse_toml(file.content, "x", ErrorCode::usage).value(), parse_toml(file.content.text, "x", ErrorCode::usage).value()) << file.name;
  }
}

}  // namespace
}  // namespace paddock
