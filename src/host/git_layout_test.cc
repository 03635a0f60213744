#include "host/git_layout.h"

#include "host/git_extent.h"
#include "host/host_test_support.h"

namespace paddock {
namespace {

TEST(GitLayout, FindsThePlainRepositoryFromBelow) {
  const TemporaryTree tree;
  const std::string root = tree.repository("h/a b\"q'*$(x)\n-\xff");
  const std::string below = tree.directory("h/a b\"q'*$(x)\n-\xff/-s/t");
  const GitLayout layout = find_git_layout(below, tree / "h");
  EXPECT_EQ(layout.kind, GitKind::directory);
  EXPECT_EQ(layout.root, root);
  EXPECT_EQ(layout.dot_git, root + "/.git");
  EXPECT_EQ(layout.git_dir, root + "/.git");
  EXPECT_EQ(layout.common_dir, root + "/.git");
  EXPECT_TRUE(layout.module_dirs.empty() && layout.worktree_dirs.empty() && layout.alternates.empty());
}

TEST(GitLayout, EndsAtHomeAndFindsNothingInAPlainDirectory) {
  const TemporaryTree tree;
  const std::string home = tree.repository("h");
  EXPECT_EQ(find_git_layout(tree.directory("h/p"), home).kind, GitKind::none);
  EXPECT_EQ(find_git_layout(home, home).kind, GitKind::directory);
  EXPECT_EQ(find_git_layout(tree / "absent", home).kind, GitKind::none);
}

TEST(GitLayout, C032EndsAtAChangeOfOwner) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to change an owner";
  const TemporaryTree tree;
  const std::string root = tree.repository("r");
  const std::string below = tree.directory("r/theirs");
  ASSERT_EQ(::chown(below.c_str(), 65534, 65534), 0);
  EXPECT_EQ(find_git_layout(below, "/nonexistent").kind, GitKind::none);
  EXPECT_EQ(find_git_layout(root, "/nonexistent").kind, GitKind::directory);
}

TEST(GitLayout, C085FollowsLinkedWorktreesOfPlainAndBareRepositories) {
  const TemporaryTree tree;
  const std::string main = tree.repository("m");
  tree.git({"worktree", "add", "-q", "../w"}, main);
  GitLayout layout = find_git_layout(tree.directory("w/sub/dir"), "/h");
  EXPECT_EQ(layout.kind, GitKind::linked_worktree);
  EXPECT_EQ(layout.root, tree / "w");
  EXPECT_EQ(layout.git_dir, main + "/.git/worktrees/w");
  EXPECT_EQ(layout.common_dir, main + "/.git");
  EXPECT_EQ(layout.worktree_dirs, std::vector<std::string>{main + "/.git/worktrees/w"});

  tree.git({"clone", "-q", "--bare", "m", "bare.git"}, tree.root());
  tree.git({"worktree", "add", "-q", "-b", "x", "../w2"}, tree / "bare.git");
  layout = find_git_layout(tree / "w2", "/h");
  EXPECT_EQ(layout.kind, GitKind::linked_worktree);
  EXPECT_EQ(layout.common_dir, tree / "bare.git");
  layout = find_git_layout(tree / "bare.git/refs", "/h");
  EXPECT_EQ(layout.kind, GitKind::directory);
  EXPECT_EQ(layout.root, tree / "bare.git");
  EXPECT_EQ(layout.dot_git, tree / "bare.git");
}

TEST(GitLayout, C087TakesRelativePointersCarriageReturnsAndTrailingSpaces) {
  const TemporaryTree tree;
  const std::string main = tree.repository("m");
  tree.git({"worktree", "add", "-q", "../w"}, main);
  const std::string expected = main + "/.git/worktrees/w";
  for (const char* pointer : {"gitdir: ../m/.git/worktrees/w\n", "gitdir: ../m/.git/worktrees/w\r\n",
                              "gitdir: ../m/.git/worktrees/w  \n", "gitdir:../m/.git/worktrees/w"}) {
    tree.file("w/.git", pointer);
    const GitLayout layout = find_git_layout(tree.directory("w/s"), "/h");
    EXPECT_EQ(layout.kind, GitKind::linked_worktree) << pointer;
    EXPECT_EQ(layout.git_dir, expected) << pointer;
  }
}

TEST(GitLayout, FindsSubmodulesAndTheirGitDirectories) {
  const TemporaryTree tree;
  const std::string inner = tree.repository("inner");
  const std::string middle = tree.repository("middle");
  tree.git({"submodule", "add", "-q", inner, "deep/inner"}, middle);
  tree.git({"commit", "-q", "-m", "s"}, middle);
  const std::string outer = tree.repository("outer");
  tree.git({"submodule", "add", "-q", middle, "libs/m"}, outer);
  tree.git({"submodule", "update", "-q", "--init", "--recursive"}, outer);
  const std::string modules = outer + "/.git/modules/libs/m";
  EXPECT_EQ(find_git_layout(outer, "/h").module_dirs, (std::vector<std::string>{modules, modules + "/modules/deep/inner"}));
  const GitLayout layout = find_git_layout(outer + "/libs/m/deep", "/h");
  EXPECT_EQ(layout.kind, GitKind::submodule);
  EXPECT_EQ(layout.root, outer + "/libs/m");
  EXPECT_EQ(layout.common_dir, modules);
  EXPECT_EQ(layout.module_dirs, std::vector<std::string>{modules + "/modules/deep/inner"});
}

TEST(GitLayout, C086FollowsALinkAndReportsADanglingOne) {
  const TemporaryTree tree;
  const std::string root = tree.repository("r");
  ASSERT_EQ(::rename((root + "/.git").c_str(), (tree / "g").c_str()), 0);
  tree.link("r/.git", tree / "g");
  GitLayout layout = find_git_layout(root, "/h");
  EXPECT_EQ(layout.kind, GitKind::linked_directory);
  EXPECT_EQ(layout.git_dir, tree / "g");
  EXPECT_EQ(layout.dot_git, root + "/.git");
  ASSERT_EQ(::rename((tree / "g").c_str(), (tree / "gone").c_str()), 0);
  layout = find_git_layout(root, "/h");
  EXPECT_EQ(layout.kind, GitKind::broken);
  EXPECT_EQ(layout.problem, root + "/.git is a link to " + tree / "g" + ", which is not a repository");
}

TEST(GitLayout, ReportsBrokenPointersAndPassesOverWhatIsNoRepository) {
  const TemporaryTree tree;
  const std::string outer = tree.repository("o");
  tree.file("o/p/.git", "gitdir: /nowhere\n");
  EXPECT_EQ(find_git_layout(tree / "o/p", "/h").kind, GitKind::broken);
  EXPECT_EQ(find_git_layout(tree / "o/p", "/h").problem, outer + "/p/.git points to /nowhere, which is not a repository");
  tree.file("o/q/.git", std::string(100'000, 'x'));
  EXPECT_EQ(find_git_layout(tree / "o/q", "/h").kind, GitKind::broken);
  tree.directory("o/e/.git");
  EXPECT_EQ(find_git_layout(tree / "o/e", "/h").root, outer);
  tree.directory("o/f");
  ASSERT_EQ(::mkfifo((tree / "o/f/.git").c_str(), 0600), 0);
  EXPECT_EQ(find_git_layout(tree / "o/f", "/h").root, outer);
  tree.directory("alone/.git");
  EXPECT_EQ(find_git_layout(tree / "alone", "/h").kind, GitKind::broken);
}

TEST(GitLayout, C084ReadsWorktreeConfigAndHooksInsideTheTree) {
  const TemporaryTree tree;
  const std::string root = tree.repository("r");
  EXPECT_FALSE(find_git_layout(root, "/h").worktree_config);
  tree.git({"config", "extensions.worktreeConfig", "true"}, root);
  tree.git({"config", "core.hooksPath", "/elsewhere"}, root);
  EXPECT_EQ(find_git_layout(root, "/h").shared_hooks, "");
  tree.git({"config", "--worktree", "core.hooksPath", ".husky/_"}, root);
  tree.git({"config", "include.path", "../.gitconfig"}, root);
  tree.git({"config", "includeIf.onbranch:x.path", "/etc/elsewhere"}, root);
  const GitLayout layout = find_git_layout(root, "/h");
  EXPECT_TRUE(layout.worktree_config);
  EXPECT_EQ(layout.shared_hooks, root + "/.husky/_");
  EXPECT_EQ(layout.included_configs, std::vector<std::string>{root + "/.gitconfig"});
}

TEST(GitLayout, FollowsAlternatesRelativeQuotedAndInALoop) {
  const TemporaryTree tree;
  tree.git({"clone", "-q", "--shared", tree.repository("a"), "b"}, tree.root());
  tree.git({"clone", "-q", "--shared", "b", "c"}, tree.root());
  tree.file("b/.git/objects/info/alternates", "# c\n\"../../../a/.git/\\157bjects\"\n/absent\n");
  tree.file("a/.git/objects/info/alternates", "../../../c/.git/objects\n");
  EXPECT_EQ(find_git_layout(tree / "c", "/h").alternates,
            (std::vector<std::string>{tree / "b/.git/objects", tree / "a/.git/objects", tree / "c/.git/objects"}));
}

}  // namespace
}  // namespace paddock
