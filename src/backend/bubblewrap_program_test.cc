#include "backend/bubblewrap_program.h"

#include <gtest/gtest.h>

namespace paddock {
namespace {

struct stat program_of(uid_t owner, mode_t mode = 0755) {
  struct stat status {};
  status.st_uid = owner;
  status.st_mode = S_IFREG | mode;
  return status;
}

constexpr ProgramJudge somebody{1000, true};
constexpr ProgramJudge without_root{1000, false};

TEST(RefusalOfProgram, TakesRootsAndOnesOwn) {
  EXPECT_EQ(refusal_of_program("/usr/bin/bwrap", program_of(0), somebody), "");
  EXPECT_EQ(refusal_of_program("/usr/bin/bwrap", program_of(1000), somebody), "");
}

TEST(RefusalOfProgram, DeclinesSetuidAndWhatOthersCanChange) {
  EXPECT_NE(refusal_of_program("/usr/bin/bwrap", program_of(0, 04755), somebody).find("setuid"), std::string::npos);
  EXPECT_NE(refusal_of_program("/usr/bin/bwrap", program_of(0, 0757), somebody).find("everybody"), std::string::npos);
  EXPECT_NE(refusal_of_program("/usr/bin/bwrap", program_of(1001), somebody).find("another user"), std::string::npos);
}

TEST(RefusalOfProgram, TakesTheSystemsOwnWhereRootHasNoUid) {
  EXPECT_EQ(refusal_of_program("/usr/bin/bwrap", program_of(65534), without_root), "");
  EXPECT_NE(refusal_of_program("/var/bwrap", program_of(65534), without_root), "");
  EXPECT_NE(refusal_of_program("/usr/bin/bwrap", program_of(65534), somebody), "") << "nobody is a user where root has a uid";
  EXPECT_NE(refusal_of_program("/usr/bin/bwrap", program_of(1001), without_root), "");
}

TEST(UidMap, TellsWhetherRootIsThere) {
  EXPECT_TRUE(maps_root("         0          0 4294967295\n"));
  EXPECT_TRUE(maps_root("         0       1000          1\n         1     100000      65536\n"));
  EXPECT_FALSE(maps_root("      1000       1000          1\n"));
  EXPECT_FALSE(maps_root(""));
}

}  // namespace
}  // namespace paddock
