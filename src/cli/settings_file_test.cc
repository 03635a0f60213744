#include "cli/settings_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

namespace paddock {
namespace {

namespace fs = std::filesystem;

class SettingsFiles : public testing::Test {
 protected:
  SettingsFiles() {
    char name[] = "/var/tmp/paddock-settings-XXXXXX";
    base_ = fs::canonical(::mkdtemp(name));
    fs::create_directories(base_ / "own/profiles");
  }
  ~SettingsFiles() override { fs::remove_all(base_); }

  void write(const fs::path& path, std::string_view text) {
    fs::create_directories((base_ / path).parent_path());
    std::ofstream(base_ / path) << text;
    fs::permissions(base_ / path, fs::perms(0644));
  }
  // The text, "absent", or why it is refused.
  std::string own(const std::string& name, OwnDirectory kind = OwnDirectory::usual) {
    const auto read = read_own_file(base_ / "own", kind, name);
    return !read ? "refused: " + read.failure().message : *read ? (*read)->text : "absent";
  }
  std::string repository(const fs::path& root) {
    const auto read = read_repository_file(base_ / root);
    return !read ? "refused: " + read.failure().message : *read ? (*read)->text : "absent";
  }
  static bool is_refused(const std::string& answer) { return answer.starts_with("refused"); }

  fs::path base_;
};

TEST_F(SettingsFiles, AreReadWhereTheyAreAndAbsentWhereTheyAreNot) {
  write("own/config.toml", "x = 1\n");
  EXPECT_EQ(own("config.toml"), "x = 1\n");
  EXPECT_EQ(own("profiles/mine.toml"), "absent");
  EXPECT_EQ(own("nosuch/mine.toml"), "absent");
  EXPECT_EQ(own("config.toml/mine.toml"), "absent");
}

TEST_F(SettingsFiles, ThatOthersCouldWriteAreRefused) {
  write("own/config.toml", "x = 1\n");
  fs::permissions(base_ / "own/config.toml", fs::perms(0646));
  EXPECT_TRUE(is_refused(own("config.toml")));
  fs::permissions(base_ / "own/config.toml", fs::perms(0644));
  fs::permissions(base_ / "own", fs::perms(0777));
  EXPECT_TRUE(is_refused(own("config.toml")));
}

TEST_F(SettingsFiles, InARepositoryAreRefusedWhereTheDirectoryIsMovedOrALinkLeadsThere) {
  write("own/config.toml", "x = 1\n");
  write("repository/.git/HEAD", "");
  write("repository/dot/config.toml", "x = 2\n");
  fs::create_directories(base_ / "plain");
  write("plain/config.toml", "x = 3\n");
  EXPECT_EQ(own("config.toml", OwnDirectory::moved), "x = 1\n");
  fs::create_symlink(base_ / "repository/dot/config.toml", base_ / "own/linked.toml");
  fs::create_symlink(base_ / "plain/config.toml", base_ / "own/fine.toml");
  fs::create_symlink("nowhere", base_ / "own/dangling.toml");
  EXPECT_TRUE(is_refused(own("linked.toml")));
  EXPECT_EQ(own("fine.toml"), "x = 3\n");
  EXPECT_TRUE(is_refused(own("dangling.toml")));
  write(".git/HEAD", "");
  EXPECT_EQ(own("config.toml"), "x = 1\n") << "the usual place is hidden in every sandbox";
  EXPECT_TRUE(is_refused(own("config.toml", OwnDirectory::moved)));
  EXPECT_TRUE(is_refused(own("fine.toml")));
}

TEST_F(SettingsFiles, ThatAreNoFilesAreRefused) {
  fs::create_directories(base_ / "own/config.toml");
  EXPECT_TRUE(is_refused(own("config.toml")));
  ASSERT_EQ(::mkfifo((base_ / "own/pipe.toml").c_str(), 0600), 0);
  EXPECT_TRUE(is_refused(own("pipe.toml")));
  write("own/long.toml", std::string(settings_bytes_max + 1, '#'));
  EXPECT_TRUE(is_refused(own("long.toml")));
}

TEST_F(SettingsFiles, ARepositorysFileIsAPlainOneOfItsOwn) {
  EXPECT_EQ(repository("own"), "absent");
  write("own/.paddock.toml", "x = 1\n");
  EXPECT_EQ(repository("own"), "x = 1\n");
  struct stat status {};
  ASSERT_EQ(::stat((base_ / "own").c_str(), &status), 0);
  EXPECT_EQ(read_repository_file(base_ / "own").value()->directory.inode, status.st_ino);
  fs::create_directories(base_ / "other");
  fs::create_symlink("../own/.paddock.toml", base_ / "other/.paddock.toml");
  EXPECT_TRUE(is_refused(repository("other")));
  fs::create_symlink(base_ / "own", base_ / "way");
  EXPECT_TRUE(is_refused(repository("way"))) << "the workspace is a real path";
  write("own/.paddock.toml", std::string(repository_file_bytes_max + 1, '#'));
  EXPECT_TRUE(is_refused(repository("own")));
}

TEST(ProjectSettings, EveryProjectHasANameOfItsOwn) {
  EXPECT_EQ(project_settings_name("/home/u/my-shop"), "home:u:my-shop.toml");
  EXPECT_EQ(project_settings_name("/a:b/100%"), "a%3Ab:100%25.toml");
  std::set<std::string> names;
  const std::string deep = "/" + std::string(300, 'x');
  const std::vector<std::string> roots = {"/a/b", "/a:b", "/a%3Ab", "/a%b", "/a%25b", "/", "/%", "/%%", "/%25", deep, deep + "y", "/" + project_settings_name(deep)};
  for (const std::string& root : roots) {
    names.insert(project_settings_name(root));
    EXPECT_LE(project_settings_name(root).size(), 255u);
  }
  EXPECT_EQ(names.size(), roots.size());
}

}  // namespace
}  // namespace paddock
