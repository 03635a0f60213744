#include "host/executable.h"

#include "host/host_test_support.h"
#include "host/link_chain.h"

namespace paddock {
namespace {

std::vector<std::string> toolchain_roots(const std::string& search_path, const std::string& home) {
  KnownFiles files;
  return find_toolchain_roots(search_path, home, files);
}

LinkChain links_of(const std::string& path) {
  KnownFiles files;
  return follow_links(path, files);
}

using Paths = std::vector<std::string>;

struct Home {
  TemporaryTree tree;
  std::string home = tree.directory("home/u");
  std::map<std::string, std::string> environment;

  std::string operator/(const std::string& name) const { return path::join(home, name); }
  Executable find(const std::string& name, const std::string& search_path) const {
    KnownFiles files;
    return find_executable(name, search_path, {.home = home, .directory = tree.directory("home/u/p"), .environment = &environment}, files);
  }
  std::string program(const std::string& name, const std::string& content = "#!/bin/sh\n") const {
    return tree.program("home/u/" + name, content);
  }
  std::string link(const std::string& name, const std::string& target) const { return tree.link("home/u/" + name, target); }
};

TEST(Executable, IsFoundAsByExecvp) {
  const Home home;
  home.tree.directory("home/u/a/tool");
  home.tree.file("home/u/b/tool", "#!/bin/sh\n", 0644);
  EXPECT_EQ(home.find("tool", home / "a").problem, ExecutableProblem::not_executable);
  EXPECT_EQ(home.find("tool", home / "a" + ":" + home / "b").problem, ExecutableProblem::not_executable);
  home.program("c d/tool");
  const Executable found = home.find("tool", home / "absent" + ":" + home / "a" + ":" + home / "b" + ":" + home / "c d");
  EXPECT_EQ(found.problem, ExecutableProblem::none);
  EXPECT_EQ(found.found, home / "c d/tool");
  EXPECT_EQ(home.find("nothing", home / "a").problem, ExecutableProblem::not_found);
  EXPECT_EQ(home.find("", "/bin").problem, ExecutableProblem::not_found);
  EXPECT_EQ(home.find("./x", "/bin").problem, ExecutableProblem::not_found);
  home.program("p/-x");
  EXPECT_EQ(home.find("./-x", "/bin").found, home / "p/./-x");
  EXPECT_EQ(home.find("-x", "").problem, ExecutableProblem::not_found);
  EXPECT_EQ(home.find("-x", ":/bin").found, home / "p/-x");
  EXPECT_TRUE(home.find("sh", "").needs.empty());
}

TEST(Executable, RecordsEachLinkAndNeedsTheNativeVersionsDirectory) {
  const Home home;
  const std::string real = home.program(".local/share/claude/versions/2.1.0");
  home.link(".local/share/claude/current", "versions/2.1.0");
  home.link(".local/bin/claude", "../share/claude/current");
  const Executable found = home.find("claude", home / ".local/bin");
  EXPECT_EQ(found.problem, ExecutableProblem::none);
  EXPECT_EQ(found.chain, (Paths{home / ".local/bin/claude", home / ".local/share/claude/current", real}));
  EXPECT_EQ(found.real, real);
  EXPECT_EQ(found.needs, Paths{home / ".local/share/claude/versions"});
}

TEST(Executable, NeedsTheNodeVersionWithTheInterpreterOfAScript) {
  const Home home;
  const std::string version = home / ".nvm/versions/node/v20.1.0";
  home.program(".nvm/versions/node/v20.1.0/bin/node");
  const std::string script = home.program(".nvm/versions/node/v20.1.0/lib/node_modules/@a/codex/bin/codex.js", "#!/usr/bin/env node\n");
  home.link(".nvm/versions/node/v20.1.0/bin/codex", "../lib/node_modules/@a/codex/bin/codex.js");
  const Executable found = home.find("codex", version + "/bin:/usr/bin:/bin");
  EXPECT_EQ(found.problem, ExecutableProblem::none) << found.detail;
  EXPECT_EQ(found.real, script);
  EXPECT_EQ(found.interpreter, "/usr/bin/env");
  EXPECT_EQ(found.interpreter_program, "node");
  EXPECT_EQ(found.needs, Paths{version});
}

TEST(Executable, NeedsTheOutermostNodeModules) {
  const Home home;
  home.program(".npm-global/lib/node_modules/x/node_modules/y/cli.js");
  home.link(".npm-global/bin/y", "../lib/node_modules/x/node_modules/y/cli.js");
  EXPECT_EQ(home.find("y", home / ".npm-global/bin").needs, Paths{home / ".npm-global/lib/node_modules"});
}

TEST(Executable, FollowsAShellsPrivateLinkDirectory) {
  const Home home;
  const std::string node = home.program(".local/share/fnm/node-versions/v22/installation/bin/node");
  home.tree.link("run/fnm_multishells/1_2", home / ".local/share/fnm/node-versions/v22/installation");
  home.program("tools/bin/x", "#!/usr/bin/env -S node --flag\n");
  const std::string shell_link = home.tree / "run/fnm_multishells/1_2";
  const Executable found = home.find("x", home / "tools/bin" + ":" + shell_link + "/bin");
  EXPECT_EQ(found.interpreter_program, "node");
  EXPECT_EQ(found.chain, (Paths{shell_link, home / "tools/bin/x"}));
  EXPECT_EQ(found.needs, (Paths{home / ".local/share/fnm/node-versions/v22", home / "tools/bin"}));
}

TEST(Executable, ReportsAMissingInterpreter) {
  const Home home;
  const auto detail = [&](const std::string& name, const std::string& line) {
    home.program("p/" + name, line);
    const Executable found = home.find("./" + name, "/usr/bin:/bin");
    EXPECT_EQ(found.problem, ExecutableProblem::interpreter_missing) << line;
    return found.detail;
  };
  const std::string base = home / "p/";
  EXPECT_EQ(detail("a", "#!/no/python\n"), base + "a needs /no/python, which does not exist or cannot be executed");
  EXPECT_EQ(detail("b", "#!/usr/bin/env no-such-node\n"), base + "b needs no-such-node, and no-such-node is not on the search path");
  EXPECT_EQ(detail("c", "#!/bin/sh\r\n"),
            base + "c: its first line ends in a carriage return, so that the kernel looks for \"/bin/sh\r\": save it with Unix line ends");
  EXPECT_EQ(detail("d", "#!/usr/bin/env sh -e\n"), base + "d: env would look for a program called \"sh -e\": write `env -S`");
  EXPECT_EQ(detail("e", "#!\n"), base + "e needs an interpreter, and names none");
  EXPECT_NE(detail("f", "#!" + base + "f\n").find("scripts that are run by scripts"), std::string::npos);
}

// A 64-bit program with one segment that names its loader.
std::string elf(unsigned char machine, const std::string& loader) {
  std::string image(64 + 56, '\0');
  const auto put = [&](std::size_t at, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) image[at + static_cast<std::size_t>(i)] = static_cast<char>(value >> (8 * i));
  };
  image.replace(0, 7, "\x7f" "ELF\x02\x01\x01");
  put(16, 2, 2);        // e_type
  put(18, machine, 2);  // e_machine
  put(32, 64, 8);       // e_phoff
  put(54, 56, 2);       // e_phentsize
  put(56, 1, 2);        // e_phnum
  put(64, 3, 4);        // PT_INTERP
  put(72, 120, 8);      // p_offset
  put(96, loader.size() + 1, 8);
  return image + loader + '\0';
}

TEST(Executable, ReportsAMissingLoaderAndAForeignMachine) {
  const Home home;
  home.program("p/a", elf(62, "/lib/ld-absent.so.1"));
  Executable found = home.find("./a", "");
  EXPECT_EQ(found.problem, ExecutableProblem::interpreter_missing);
  EXPECT_EQ(found.interpreter, "/lib/ld-absent.so.1");
  EXPECT_NE(found.detail.find("needs /lib/ld-absent.so.1, which does not exist"), std::string::npos);
  home.program("p/b", elf(243, "/lib/ld-riscv.so.1"));
  found = home.find("./b", "");
  EXPECT_NE(found.detail.find("is built for riscv and needs /lib/ld-riscv.so.1"), std::string::npos) << found.detail;
  home.program("p/c", elf(62, "/bin/sh"));
  EXPECT_EQ(home.find("./c", "").problem, ExecutableProblem::none);
  home.program("p/d", std::string("\x7f" "ELF", 4));
  EXPECT_EQ(home.find("./d", "").problem, ExecutableProblem::none);
}

TEST(Executable, NeverNeedsTheHomeDirectoryOrSecrets) {
  const Home home;
  home.program("tool");
  home.program("Downloads/tool");
  home.program(".local/bin/real");
  home.program(".ssh/run");
  home.tree.file("home/u/.app/bin/auth.json");
  home.program(".app/bin/app");
  EXPECT_EQ(home.find(home / "tool", "").needs, Paths{home / "tool"});
  EXPECT_EQ(home.find(home / "Downloads/tool", "").needs, Paths{home / "Downloads/tool"});
  EXPECT_EQ(home.find(home / ".local/bin/real", "").needs, Paths{home / ".local/bin/real"});
  EXPECT_EQ(home.find(home / ".ssh/run", "").needs, Paths{});
  EXPECT_EQ(home.find(home / ".app/bin/app", "").needs, Paths{home / ".app/bin/app"});
}

constexpr const char* pyenv_shim = "#!/bin/sh\nset -e\nexport PYENV_ROOT=\"x\"\nexec \"/x/pyenv\" exec \"$program\" \"$@\"\n";

TEST(Executable, ResolvesTheShimsOfTheFamilyOfRbenv) {
  Home home;
  home.program(".pyenv/shims/python", pyenv_shim);
  home.program(".pyenv/versions/3.11.9/bin/python");
  home.program(".pyenv/versions/3.11.10/bin/python");
  home.program(".pyenv/versions/3.12.1/bin/python");
  home.tree.file("home/u/.pyenv/version", "3.12.1\n");
  const std::string shims = home / ".pyenv/shims";
  Executable found = home.find("python", shims);
  EXPECT_EQ(found.problem, ExecutableProblem::none) << found.detail;
  EXPECT_EQ(found.found, shims + "/python");
  EXPECT_EQ(found.real, home / ".pyenv/versions/3.12.1/bin/python");
  EXPECT_EQ(found.needs, Paths{home / ".pyenv/versions/3.12.1"});
  home.tree.file("home/u/.python-version", "# x\n3.11\n");
  EXPECT_EQ(home.find("python", shims).real, home / ".pyenv/versions/3.11.10/bin/python");
  home.environment["PYENV_VERSION"] = "3.9:3.11.9";
  EXPECT_EQ(home.find("python", shims).real, home / ".pyenv/versions/3.11.9/bin/python");
  home.environment["PYENV_VERSION"] = "../../../p";
  found = home.find("python", shims);
  EXPECT_EQ(found.problem, ExecutableProblem::shim_unresolved);
  EXPECT_NE(found.detail.find("said by PYENV_VERSION"), std::string::npos) << found.detail;
  EXPECT_EQ(found.needs, Paths{home / ".pyenv"});
  home.environment["PYENV_VERSION"] = "system";
  home.program("other/bin/python");
  EXPECT_EQ(home.find("python", shims + ":" + home / "other/bin").real, home / "other/bin/python");
  EXPECT_EQ(home.find("python", shims).problem, ExecutableProblem::shim_unresolved);
}

TEST(Executable, SaysWhatToDoAboutShimsThatOnlyTheirManagerResolves) {
  const Home home;
  home.program("opt/bin/mise");
  home.link(".local/share/mise/shims/node", home / "opt/bin/mise");
  Executable found = home.find("node", home / ".local/share/mise/shims");
  EXPECT_EQ(found.problem, ExecutableProblem::shim_unresolved);
  EXPECT_NE(found.detail.find("mise which node"), std::string::npos);
  EXPECT_EQ(found.needs, (Paths{home / ".local/share/mise", home / "opt/bin"}));
  home.program(".volta/bin/volta-shim");
  home.link(".volta/bin/node", "volta-shim");
  found = home.find("node", home / ".volta/bin");
  EXPECT_EQ(found.problem, ExecutableProblem::shim_unresolved);
  EXPECT_EQ(found.needs, Paths{home / ".volta"});
  home.program(".asdf/shims/node", "#!/bin/sh\n# asdf-plugin: nodejs 20.1.0\nexec asdf exec \"node\" \"$@\"\n");
  EXPECT_EQ(home.find("node", home / ".asdf/shims").problem, ExecutableProblem::shim_unresolved);
  home.program(".asdf/installs/nodejs/20.1.0/bin/node");
  found = home.find("node", home / ".asdf/shims");
  EXPECT_EQ(found.problem, ExecutableProblem::none);
  EXPECT_EQ(found.needs, Paths{home / ".asdf/installs/nodejs/20.1.0"});
}

TEST(LinkChain, EndsInALoop) {
  const TemporaryTree tree;
  tree.link("a", "b");
  tree.link("b", "a");
  EXPECT_EQ(links_of(tree / "a").real, std::nullopt);
  EXPECT_EQ(links_of(tree / "a/../c").real, std::nullopt);
  EXPECT_EQ(links_of("/").real, "/");
}

TEST(ToolchainRoots, ShowWhatTheEntriesOfPathNeed) {
  const Home home;
  home.program(".cargo/bin/cargo");
  home.tree.file("home/u/.cargo/credentials.toml");
  home.tree.directory("home/u/.rustup");
  home.program(".nvm/versions/node/v20/bin/node");
  home.program(".pyenv/shims/python");
  home.program(".venv/bin/python");
  home.tree.file("home/u/.venv/pyvenv.cfg");
  home.program("miniconda3/bin/conda");
  home.tree.directory("home/u/miniconda3/lib");
  home.program("go/bin/gopls");
  home.program(".local/share/pipx/venvs/black/bin/black");
  home.link(".local/bin/black", home / ".local/share/pipx/venvs/black/bin/black");
  home.link(".local/bin/key", home / ".ssh/id");
  home.tree.file("home/u/.ssh/id", "secret", 0600);
  home.program(".sdkman/candidates/java/17/bin/java");
  home.link(".sdkman/candidates/java/current", "17");
  const std::string search_path = home / ".cargo/bin" + ":" + home / ".nvm/versions/node/v20/bin" + ":" + home / ".pyenv/shims" +
                                  ":" + home / ".venv/bin" + ":" + home / "miniconda3/bin" + ":" + home / "go/bin" + ":" +
                                  home / ".local/bin" + ":" + home / ".sdkman/candidates/java/current/bin" +
                                  ":/usr/bin:/bin:/opt/x/bin:relative:" + home / "absent";
  EXPECT_EQ(toolchain_roots(search_path, home.home),
            (Paths{home / ".cargo/bin", home / ".local/bin", home / ".local/share/pipx/venvs/black", home / ".nvm/versions/node/v20",
                   home / ".pyenv", home / ".rustup", home / ".sdkman/candidates/java/17", home / ".sdkman/candidates/java/current",
                   home / ".venv", home / "go/bin", home / "miniconda3"}));
}

TEST(ToolchainRoots, NeverShowHomeOrWhatHoldsCredentials) {
  const Home home;
  home.program("run");
  home.program(".ssh/run");
  home.program(".cargo/run");
  home.program("scripts/deploy");
  home.tree.file("home/u/scripts/.env");
  home.tree.directory("home/u/letters");
  const std::string search_path = home.home + ":" + path::parent(home.home) + ":/:" + home / ".ssh" + ":" + home / ".cargo" + ":" +
                                  home / "scripts" + ":" + home / "letters" + ":/tmp";
  EXPECT_EQ(toolchain_roots(search_path, home.home), Paths{});
}

TEST(ToolchainRoots, KnowHomeBehindALink) {
  const Home home;
  home.tree.link("h", home.home);
  home.program("run");
  EXPECT_EQ(toolchain_roots(home.tree / "h", home.tree / "h"), Paths{});
}

}  // namespace
}  // namespace paddock
