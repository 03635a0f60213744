#include "host/git_identity.h"

#include "host/git_include.h"
#include "host/git_layout.h"
#include "host/host_test_support.h"

namespace paddock {
namespace {

GitReading read_in(const TemporaryTree& tree, const std::string& directory) {
  const std::string home = tree / "home";
  KnownFiles known;
  return read_git_identity(find_git_config_files({.home = home, .xdg_config_home = "", .global = "", .system = "/dev/null"}),
                           find_git_layout(directory, home, known), directory, known);
}

std::string value_of(const GitReading& reading, const std::string& key) {
  for (const auto& [name, value] : reading.identity) {
    if (name == key) return value;
  }
  return "(none)";
}

TEST(GitIdentity, C099TheWorkIdentityWinsByConditionalInclude) {
  const TemporaryTree tree;
  tree.file("home/.gitconfig",
            "[user]\nname=Me\nemail=me@home\n[credential]\nhelper=!touch /tmp/pwned\n"
            "[includeIf \"gitdir:~/work/\"]\npath=work.inc\n");
  tree.file("home/work.inc", "[user]\nemail=me@work\n");
  const std::string work = tree.repository("home/work/r");
  const std::string other = tree.repository("home/other/r");
  EXPECT_EQ(read_in(tree, work).identity, (GitIdentity{{"user.email", "me@work"}, {"user.name", "Me"}}));
  EXPECT_EQ(read_in(tree, other).identity, (GitIdentity{{"user.email", "me@home"}, {"user.name", "Me"}}));
  EXPECT_TRUE(read_in(tree, work).facts.credential_helpers);
}

TEST(GitIdentity, HoldsConditionsOfEveryKind) {
  const TemporaryTree tree;
  const std::string repository = tree.repository("home/W o[r]k/r");
  tree.git({"remote", "add", "origin", "https://forge.example/org/r.git"}, repository);
  tree.git({"checkout", "-q", "-b", "feat/x"}, repository);
  const std::string condition[] = {"gitdir/i:~/w O?r?K/",
                                   "gitdir:W o?r?k/",
                                   "onbranch:feat/",
                                   "onbranch:feat/*",
                                   "hasconfig:remote.*.url:https://forge.example/org/**",
                                   "gitdir:./W o?r?k/r/.git"};
  const std::string not_met[] = {"gitdir:~/w o?r?k/", "gitdir:~/W", "onbranch:feat", "onbranch:main",
                                 "hasconfig:remote.*.url:https://forge.example/*", "gitdir:./r/", "unknown:x"};
  std::string text;
  for (const std::string& met : condition) text += "[includeIf \"" + met + "\"]\npath=met" + std::to_string(&met - condition) + "\n";
  for (const std::string& other : not_met) text += "[includeIf \"" + other + "\"]\npath=bad\n";
  tree.file("home/.gitconfig", text);
  tree.file("home/bad", "[alias]\nbad=log\n");
  for (int i = 0; i < 6; ++i) tree.file("home/met" + std::to_string(i), "[alias]\nmet" + std::to_string(i) + "=log\n");
  const GitReading reading = read_in(tree, repository);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(value_of(reading, "alias.met" + std::to_string(i)), "log") << condition[i];
  EXPECT_EQ(value_of(reading, "alias.bad"), "(none)");
}

TEST(GitIdentity, ComparesAlsoThePathThatTheUserGoesBy) {
  const TemporaryTree tree;
  const std::string repository = tree.repository("disk/work/r");
  tree.directory("disk/work/r/sub");
  tree.link("home/work", "../disk/work");
  tree.file("home/.gitconfig", "[includeIf \"gitdir:~/work/\"]\npath=w\n");
  tree.file("home/w", "[user]\nname=W\n");
  EXPECT_EQ(value_of(read_in(tree, tree / "home/work/r"), "user.name"), "W");
  EXPECT_EQ(value_of(read_in(tree, tree / "home/work/r/sub"), "user.name"), "W");
  EXPECT_EQ(value_of(read_in(tree, repository), "user.name"), "(none)");
}

TEST(GitIdentity, HandsOnOnlyWhatRunsNothingAndHoldsNoLogin) {
  const TemporaryTree tree;
  tree.file("home/.gitconfig", R"([user]
name = "A \"q\""
signingKey = K
[core]
hooksPath = ~/h
editor = vi
pager = less
sshCommand = ssh
excludesFile = x
fsmonitor = f
autocrlf = input
[alias]
st = status
run = !sh
sly = " !sh"
tok = -c http.extraHeader=x fetch
[url "https://u:tok@h/"]
insteadOf = https://h/
[http]
extraHeader = secret
[filter "lfs"]
process = git-lfs filter-process
[diff "pdf"]
textconv = p
[commit]
gpgSign = true
[gpg]
program = x
[pull]
rebase = interactive
[help]
autocorrect = prompt
[advice]
detachedHead = false
[init]
defaultBranch = https://u:tok@h/
[format]
pretty = %h %s
)");
  const GitReading reading = read_in(tree, tree.directory("home/p"));
  EXPECT_EQ(reading.identity, (GitIdentity{{"advice.detachedhead", "false"}, {"alias.st", "status"}, {"core.autocrlf", "input"},
                                           {"format.pretty", "%h %s"}, {"user.name", "A \"q\""}}));
  GitFacts facts;
  facts.signs_commits = facts.url_rewrites = facts.hooks_path = facts.shell_aliases = true;
  facts.filters = {"lfs"};
  EXPECT_EQ(reading.facts, facts);
}

TEST(GitIdentity, DoesNotBringBackAnEarlierValue) {
  const TemporaryTree tree;
  tree.file("home/.config/git/config", "[alias]\nx=log\n[user]\nname=Early\n");
  tree.file("home/.gitconfig", "[alias]\nx=!sh\n[user]\nname=Late\n");
  const GitReading reading = read_in(tree, tree.directory("home/p"));
  EXPECT_EQ(reading.identity, (GitIdentity{{"user.name", "Late"}}));
}

TEST(GitIdentity, StopsAtALoopOfIncludesAndNamesABadLine) {
  const TemporaryTree tree;
  const std::string file = tree.file("home/.gitconfig", "[include]\npath=.gitconfig\n[user]\nname=N\n[bad\n");
  const GitReading reading = read_in(tree, tree.directory("home/p"));
  EXPECT_EQ(value_of(reading, "user.name"), "N");
  ASSERT_FALSE(reading.facts.problems.empty());
  EXPECT_EQ(reading.facts.problems.back(), file + ", line 5, cannot be understood");
}

TEST(GitIdentity, DoesNotWaitForAFifo) {
  const TemporaryTree tree;
  tree.directory("home/p");
  ASSERT_EQ(::mkfifo((tree / "home/.gitconfig").c_str(), 0600), 0);
  EXPECT_TRUE(read_in(tree, tree / "home/p").identity.empty());
}

TEST(GitIdentity, LetsTheRepositoryTurnSigningOff) {
  const TemporaryTree tree;
  const std::string repository = tree.repository("home/r");
  tree.file("home/.gitconfig", "[commit]\ngpgSign=true\n[tag]\ngpgSign\n");
  EXPECT_TRUE(read_in(tree, repository).facts.signs_commits);
  tree.git({"config", "commit.gpgsign", "false"}, repository);
  EXPECT_FALSE(read_in(tree, repository).facts.signs_commits);
  EXPECT_TRUE(read_in(tree, repository).facts.signs_tags);
}

}  // namespace
}  // namespace paddock
