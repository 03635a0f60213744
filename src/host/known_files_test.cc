#include "host/known_files.h"

#include "host/host_file.h"
#include "host/host_test_support.h"

namespace paddock {
namespace {

TEST(KnownFiles, AListedDirectoryAnswersForAbsentNames) {
  const TemporaryTree tree;
  tree.file("d/there");
  KnownFiles files;
  files.expect_many(tree / "d");
  EXPECT_EQ(files.look(tree / "d/absent").kind, FileKind::absent);
  EXPECT_EQ(files.look(tree / "d/absent/below").kind, FileKind::absent);
  EXPECT_EQ(files.look(tree / "d/there").kind, FileKind::file);
  EXPECT_EQ(files.kind(tree / "d/there"), FileKind::file);
  // One view: what comes later is not seen, with or without a listing.
  tree.file("d/absent");
  EXPECT_EQ(files.look(tree / "d/absent").kind, FileKind::absent);
}

TEST(KnownFiles, ManyAbsentNamesAreAnsweredByAListingAndPresentOnesByALook) {
  const TemporaryTree tree;
  tree.file("d/there");
  tree.link("d/link", "there");
  KnownFiles files;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(files.look(tree / ("d/absent" + std::to_string(i))).kind, FileKind::absent);
  EXPECT_EQ(files.look(tree / "d/there").kind, FileKind::file);
  EXPECT_EQ(files.look(tree / "d/link").link_target, "there");
  EXPECT_EQ(files.kind(tree / "d/link"), FileKind::link);
}

TEST(KnownFiles, ADirectoryThatIsEmptyCannotBeReadOrIsLargeIsAskedNameByName) {
  const TemporaryTree tree;
  KnownFiles files;
  files.expect_many(tree.directory("empty"));
  files.expect_many(tree / "none");
  for (int i = 0; i < 1000; ++i) tree.file("large/a-rather-long-name-" + std::to_string(i));
  files.expect_many(tree / "large");
  tree.file("empty/x");
  tree.file("none/x");
  tree.file("large/late");
  EXPECT_EQ(files.look(tree / "empty/x").kind, FileKind::file);
  EXPECT_EQ(files.look(tree / "none/x").kind, FileKind::file);
  EXPECT_EQ(files.look(tree / "large/late").kind, FileKind::file);
  EXPECT_EQ(files.look(tree / "large/a-rather-long-name-999").kind, FileKind::file);
}

TEST(KnownFiles, ThereIsNothingBelowAFileOrAnAbsentDirectory) {
  const TemporaryTree tree;
  KnownFiles files;
  const std::string file = tree.file("f");
  EXPECT_EQ(files.look(file).kind, FileKind::file);
  EXPECT_EQ(files.look(file + "/x").kind, FileKind::absent);
  EXPECT_EQ(files.look(tree / "no").kind, FileKind::absent);
  EXPECT_EQ(files.look(tree / "no/x/y").kind, FileKind::absent);
  EXPECT_EQ(files.look(tree / ".").kind, FileKind::directory);
}

TEST(KnownFiles, RealPathsAreThoseOfTheCLibrary) {
  const TemporaryTree tree;
  tree.file("a/b/c");
  tree.link("to-a", "a");
  tree.link("a/up", "../a/b");
  tree.link("a/sideways", "b/./c");
  tree.link("absolute", tree / "to-a/b");
  tree.link("loop", "loop2");
  tree.link("loop2", "loop");
  tree.link("dangling", "nothing");
  tree.link("to-proc", "/proc/self/cwd");
  KnownFiles files;
  for (const char* name : {"a/b/c", "to-a", "to-a/b/c", "a/up/c", "a/sideways", "absolute/c", "loop", "loop/x", "dangling", "dangling/x", "to-proc", "a/../a", "absent", "a/b/c/d"}) {
    EXPECT_EQ(files.real_path(tree / name), real_path_of(tree / name)) << name;
  }
  EXPECT_EQ(files.real_path("/"), "/");
}

TEST(KnownFiles, ATextIsReadOnceAndOnlyUpToItsLimit) {
  const TemporaryTree tree;
  const std::string file = tree.file("f", "12345");
  KnownFiles files;
  EXPECT_EQ(files.read(file, 100), "12345");
  EXPECT_EQ(files.read(file, 4), std::nullopt);
  EXPECT_EQ(files.read(tree / "absent", 100), std::nullopt);
}

}  // namespace
}  // namespace paddock
