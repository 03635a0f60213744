#include "base/place.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

namespace paddock {
namespace {

namespace fs = std::filesystem;

class PlaceTest : public testing::Test {
 protected:
  PlaceTest() {
    std::string name = testing::TempDir() + "place-XXXXXX";
    base_ = fs::canonical(::mkdtemp(name.data()));
    fs::create_directories(base_ / "real/below");
    fs::create_directory_symlink("real", base_ / "link");
  }
  ~PlaceTest() override { fs::remove_all(base_); }

  fs::path base_;
};

TEST_F(PlaceTest, IsItsParentAndItsName) {
  const Place place = open_place(base_ / "real/below/x");
  struct stat parent {};
  struct stat expected {};
  ASSERT_EQ(::fstat(place.parent.get(), &parent), 0);
  ASSERT_EQ(::stat((base_ / "real/below").c_str(), &expected), 0);
  EXPECT_EQ(parent.st_ino, expected.st_ino);
  EXPECT_EQ(place.name, "x");
  EXPECT_EQ(place.link, "");
}

TEST_F(PlaceTest, ALinkOnTheWayIsNamedAndNotFollowed) {
  const Place place = open_place(base_ / "link/below/x");
  EXPECT_FALSE(place.parent.valid());
  EXPECT_EQ(place.link, base_ / "link");
}

TEST_F(PlaceTest, ALinkInThePlaceOfTheParentIsNamedToo) {
  const Place place = open_place(base_ / "link/x");
  EXPECT_FALSE(place.parent.valid());
  EXPECT_EQ(place.link, base_ / "link");
}

TEST_F(PlaceTest, TheLastComponentMayBeALink) {
  const Place place = open_place(base_ / "link");
  EXPECT_TRUE(place.parent.valid());
  EXPECT_EQ(place.link, "");
}

TEST_F(PlaceTest, AnAbsentParentIsNoLink) {
  for (const char* name : {"none/x", "none/deeper/x"}) {
    const Place place = open_place(base_ / name);
    EXPECT_FALSE(place.parent.valid()) << name;
    EXPECT_EQ(place.link, "") << name;
  }
}

TEST_F(PlaceTest, OpeningWithoutLinksRefusesEveryOne) {
  EXPECT_TRUE(open_without_links(base_ / "real", O_RDONLY | O_DIRECTORY).valid());
  EXPECT_FALSE(open_without_links(base_ / "link", O_RDONLY | O_DIRECTORY).valid());
  EXPECT_FALSE(open_without_links(base_ / "link/below", O_RDONLY | O_DIRECTORY).valid());
}

}  // namespace
}  // namespace paddock
