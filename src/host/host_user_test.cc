#include "host/host_user.h"

#include <sys/stat.h>

#include "host/host_test_support.h"

namespace paddock {
namespace {

constexpr std::string_view passwd =
    "root:x:0:0:root:/root:/bin/bash\nbad line\n:x:7:7::/x:/y\nann:x:1000:1000:A,,,:/home/ann:/usr/bin/fish\nsvc:x:99:99::/srv:/usr/sbin/nologin\n";

TEST(HostUser, FindsTheAccountByItsNumber) {
  EXPECT_EQ(find_account(passwd, 1000), (AccountEntry{"ann", "/home/ann", "/usr/bin/fish"}));
  EXPECT_EQ(find_account(passwd, 7), std::nullopt);
  EXPECT_EQ(find_account("", 0), std::nullopt);
  EXPECT_EQ(find_account("a:x:4294967296:0::/:/\n", 0), std::nullopt);
}

TEST(HostUser, NamesThePowerfulGroups) {
  const GroupNames names = find_groups("root:x:0:\nann:x:1000:\ndocker:x:998:ann\nsudo:x:27:\nusers:x:100:\n", 1000, {998, 100});
  EXPECT_EQ(names.own, "ann");
  EXPECT_EQ(names.powerful, std::vector<std::string>{"docker"});
}

TEST(HostUser, KnowsTheInitialUserNamespace) {
  EXPECT_TRUE(is_identity_map("         0          0 4294967295\n"));
  EXPECT_FALSE(is_identity_map("         0       1000          1\n"));
  EXPECT_FALSE(is_identity_map("0 0 65536\n"));
  EXPECT_FALSE(is_identity_map(""));
}

TEST(HostUser, KnowsTheKernelsRootInANamespaceOfItsOwn) {
  const TemporaryTree tree;
  const std::string initial = tree.file("initial", "0 0 4294967295"), own = tree.file("own", "0 0 1"), rootless = tree.file("rootless", "0 1000 1\n");
  struct stat status {};
  ASSERT_EQ(::stat(own.c_str(), &status), 0);
  const bool owned_by_root = status.st_uid == 0;
  EXPECT_FALSE(is_kernel_root(1000, {"", "", initial, "/proc"}));
  EXPECT_TRUE(is_kernel_root(0, {"", "", initial, tree / "absent"}));
  EXPECT_EQ(is_kernel_root(0, {"", "", own, own}), owned_by_root);
  EXPECT_EQ(is_kernel_root(0, {"", "", rootless, rootless}), owned_by_root);
  EXPECT_TRUE(is_kernel_root(0, {"", "", own, tree / "absent"}));
  EXPECT_TRUE(is_kernel_root(0, {"", "", tree / "absent", own}));
}

TEST(HostUser, C139HasAFallbackForEveryPart) {
  const TemporaryTree tree;
  const UserFiles files{tree.file("passwd", std::string(passwd)), tree / "absent", tree.file("map", "0 0 4294967295")};
  HostUser user = describe_user({54321, 54321, {}, "relative", "nologin"}, files);
  EXPECT_EQ(user.name, "user");
  EXPECT_EQ(user.group, "group");
  EXPECT_EQ(user.home, "/");
  EXPECT_EQ(user.shell, "/bin/sh");
  EXPECT_FALSE(user.real_root);
  user = describe_user({54321, 54321, {}, tree.root() + "/.", "/bin/sh"}, files);
  EXPECT_EQ(user.home, tree.root());
  user = describe_user({1000, 1000, {}, "/no/such/home", ""}, files);
  EXPECT_EQ(user.name, "ann");
  EXPECT_EQ(user.home, "/home/ann");
  EXPECT_EQ(user.shell, "/usr/bin/fish");
  EXPECT_EQ(describe_user({99, 99, {}, "", ""}, files).shell, "/bin/sh");
  EXPECT_TRUE(describe_user({0, 0, {}, "", ""}, files).real_root);
}

}  // namespace
}  // namespace paddock
