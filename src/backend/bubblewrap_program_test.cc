#include "backend/bubblewrap_program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/sha256.h"

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

// Directories with a program `bwrap` in them, or none.
class ProgramsInOrder : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/paddock-programs-XXXXXX";
    place_ = ::mkdtemp(name);
    for (const char* directory : {"shipped", "first", "second", "empty"}) std::filesystem::create_directory(place_ + "/" + directory);
    for (const char* directory : {"shipped", "first", "second"}) add(directory, 0755);
    request_.search_path = place_ + "/empty:relative:" + place_ + "/first:" + place_ + "/second";
    request_.shipped = {place_ + "/shipped/bwrap", sha256_hex("shipped")};
  }
  void TearDown() override { std::filesystem::remove_all(place_); }

  void add(const std::string& directory, unsigned mode) { ASSERT_TRUE(write_file(place_ + "/" + directory + "/bwrap", directory, mode).ok()); }

  std::vector<std::string> paths() {
    std::vector<std::string> all;
    BubblewrapPrograms programs(request_);
    for (std::size_t i = 0; const BubblewrapProgram* program = programs.at(i); ++i) all.push_back(program->path.substr(place_.size()));
    return all;
  }

  std::string place_;
  ProbeRequest request_;
};

using Paths = std::vector<std::string>;

TEST_F(ProgramsInOrder, TheShippedOneThenThoseOnPath) {
  EXPECT_EQ(paths(), (Paths{"/shipped/bwrap", "/first/bwrap", "/second/bwrap"}));
  std::filesystem::remove(place_ + "/shipped/bwrap");
  EXPECT_EQ(paths(), (Paths{"/first/bwrap", "/second/bwrap"}));
  request_.shipped = {};
  EXPECT_EQ(paths(), (Paths{"/first/bwrap", "/second/bwrap"}));
}

TEST_F(ProgramsInOrder, TheNamedOneIsAlone) {
  request_.settings.program = place_ + "/second/bwrap";
  EXPECT_EQ(paths(), (Paths{"/second/bwrap"}));
  request_.settings.program = "bwrap";
  EXPECT_EQ(paths(), (Paths{"/first/bwrap"}));
  request_.settings.program = place_ + "/empty/bwrap";
  BubblewrapPrograms absent(request_);
  ASSERT_NE(absent.at(0), nullptr);
  EXPECT_NE(absent.at(0)->refusal.find("is not an executable file"), std::string::npos);
  EXPECT_EQ(absent.at(1), nullptr);
  request_.settings.program = "other";
  EXPECT_EQ(paths(), Paths{});
  EXPECT_EQ(BubblewrapPrograms(request_).none(), "other is not installed");
}

TEST_F(ProgramsInOrder, OneThatMayNotBeUsedSaysWhyAndTheNextIsThere) {
  add("first", 0757);
  BubblewrapPrograms programs(request_);
  ASSERT_NE(programs.at(2), nullptr);
  EXPECT_NE(programs.at(1)->refusal.find("everybody"), std::string::npos);
  EXPECT_EQ(programs.at(2)->refusal, "");
}

TEST_F(ProgramsInOrder, OnlyTheShippedOneIsHeldToTheChecksumHoweverItIsReached) {
  BubblewrapPrograms programs(request_);
  EXPECT_EQ(refusal_of_content(*programs.at(0), request_.shipped), "");
  EXPECT_EQ(refusal_of_content(*programs.at(1), request_.shipped), "");
  add("shipped", 0755);
  EXPECT_EQ(refusal_of_content(*programs.at(0), request_.shipped), request_.shipped.path + " was changed while it was looked at");
  ASSERT_TRUE(write_file(request_.shipped.path, "another", 0755).ok());
  request_.settings.program = request_.shipped.path;
  BubblewrapPrograms named(request_);
  EXPECT_NE(refusal_of_content(*named.at(0), request_.shipped).find("not the program that was shipped"), std::string::npos);
  request_.settings.program.clear();
  request_.search_path = place_ + "/shipped";
  BubblewrapPrograms on_path(request_);
  ASSERT_NE(on_path.at(1), nullptr);
  EXPECT_NE(refusal_of_content(*on_path.at(1), request_.shipped).find("not the program that was shipped"), std::string::npos);
}

TEST(UidMap, TellsWhetherRootIsThere) {
  EXPECT_TRUE(maps_root("         0          0 4294967295\n"));
  EXPECT_TRUE(maps_root("         0       1000          1\n         1     100000      65536\n"));
  EXPECT_FALSE(maps_root("      1000       1000          1\n"));
  EXPECT_FALSE(maps_root(""));
}

}  // namespace
}  // namespace paddock
