#include "protocol/brief.h"

#include <cstring>

#include <gtest/gtest.h>

#include "protocol/brief_writer.h"

namespace paddock::protocol {
namespace {

BriefInput sample() {
  static const sock_filter words[] = {{6, 0, 0, 0x7fff0000}};
  BriefInput input;
  input.flags = brief_landlock_paths;
  input.checks = {{"/a", 1, 2, check_mount_root, 7}, {"/with space\n", 3, 4, check_read_only, 8}};
  input.grants = {{"/", Access::read}, {"/w", Access::write}};
  input.filter = words;
  input.processes_max = 64;
  return input;
}

TEST(Brief, IsReadAsItWasWritten) {
  const std::string bytes = write_brief(sample());
  const Brief* brief = open_brief(bytes.data(), bytes.size());
  ASSERT_NE(brief, nullptr);
  ASSERT_EQ(brief->checks.count, 2u);
  const Check* checks = table<Check>(bytes.data(), brief->checks);
  EXPECT_STREQ(text(bytes.data(), checks[1].path), "/with space\n");
  EXPECT_EQ(checks[1].inode, 4u);
  EXPECT_EQ(checks[0].mount, 7u);
  ASSERT_EQ(brief->grants.count, 2u);
  EXPECT_EQ(table<Grant>(bytes.data(), brief->grants)[1].access, Access::write);
  EXPECT_EQ(brief->filter.count, 1u);
  EXPECT_EQ(brief->processes_max, 64u);
}

TEST(Command, IsReadAsItWasWritten) {
  CommandInput input{any_terminal, {"sh", "", "-c\n"}, {"A=1"}, "/d", "/bin", 50, 132};
  const std::string bytes = write_command(input);
  const Command* command = open_command(bytes.data(), bytes.size());
  ASSERT_NE(command, nullptr);
  const U64* argv = table<U64>(bytes.data(), command->argv);
  ASSERT_EQ(command->argv.count, 4u);
  EXPECT_STREQ(bytes.data() + argv[1], "");
  EXPECT_STREQ(bytes.data() + argv[2], "-c\n");
  EXPECT_EQ(argv[3], 0u);
  EXPECT_STREQ(text(bytes.data(), command->directory), "/d");
  EXPECT_EQ(command->rows, 50);
}

TEST(Command, WithoutArgumentsIsRefused) {
  const std::string bytes = write_command({0, {}, {}, "/", "", 1, 1});
  EXPECT_EQ(open_command(bytes.data(), bytes.size()), nullptr);
}

TEST(Brief, OfAnotherLengthVersionOrMagicIsRefused) {
  const std::string bytes = write_brief(sample());
  EXPECT_EQ(open_brief(bytes.data(), bytes.size() - 1), nullptr);
  EXPECT_EQ(open_brief(nullptr, 0), nullptr);
  for (const std::size_t at : {std::size_t{0}, std::size_t{4}, std::size_t{8}}) {
    std::string wrong = bytes;
    wrong[at] = static_cast<char>(wrong[at] + 1);
    EXPECT_EQ(open_brief(wrong.data(), wrong.size()), nullptr) << at;
  }
}

// Whatever one byte is changed to, the reader refuses it or stays inside (the sanitizers watch).
TEST(Brief, StaysInsideWhateverAByteSays) {
  const std::string bytes = write_brief(sample());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int value : {0, 1, 0x7f, 0xff}) {
      std::string wrong = bytes;
      wrong[at] = static_cast<char>(value);
      const Brief* brief = open_brief(wrong.data(), wrong.size());
      if (brief == nullptr) continue;
      for (U32 i = 0; i < brief->checks.count; ++i) {
        EXPECT_LT(std::strlen(text(wrong.data(), table<Check>(wrong.data(), brief->checks)[i].path)), wrong.size());
      }
    }
  }
}

}  // namespace
}  // namespace paddock::protocol
