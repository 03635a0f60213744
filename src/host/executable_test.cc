#include "host/executable.h"

#include "host/host_test_support.h"
#include "host/link_chain.h"
#include "host/tool_versions.h"

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

using Shims = std::vector<ShimDirectory>;

TEST(Executable, H06AShimGivesWayToWhatItRuns) {
  Home home;
  const std::string node = home.program(".asdf/installs/nodejs/20.1.0/bin/node");
  home.program(".asdf/installs/nodejs/18.0.0/bin/node");
  home.program(".asdf/shims/node", "#!/bin/sh\n# asdf-plugin: nodejs 20.1.0\n# asdf-plugin: nodejs 18.0.0\nexec asdf exec \"node\" \"$@\"\n");
  const std::string codex = home.program(".asdf/installs/nodejs/20.1.0/bin/codex", "#!/usr/bin/env node\n");
  home.program(".asdf/shims/codex", "#!/bin/sh\n# asdf-plugin: nodejs 20.1.0\nexec asdf exec \"codex\" \"$@\"\n");
  const std::string shims = home / ".asdf/shims";
  EXPECT_EQ(home.find("node", shims).problem, ExecutableProblem::shim_unresolved);  // two, and nobody says which
  home.tree.file("home/u/.tool-versions", "python 3.12\nnodejs 20.1.0 # by hand\n");
  const Executable found = home.find("codex", shims + ":/usr/bin:/bin");
  EXPECT_EQ(found.problem, ExecutableProblem::none) << found.detail;
  EXPECT_EQ(found.found, shims + "/codex");
  EXPECT_EQ(found.program, codex);
  EXPECT_EQ(found.shims, (Shims{{shims, path::parent(codex)}, {shims, path::parent(node)}}));
  EXPECT_EQ(found.needs, Paths{home / ".asdf/installs/nodejs/20.1.0"});
  home.tree.file("home/u/p/.tool-versions", "nodejs 18.0.0\n");
  EXPECT_EQ(home.find("node", shims).real, home / ".asdf/installs/nodejs/18.0.0/bin/node");
}

TEST(Executable, H06MiseByItsFiles) {
  Home home;
  home.program("opt/bin/mise");
  for (const char* name : {"node", "codex"}) home.link(std::string(".local/share/mise/shims/") + name, home / "opt/bin/mise");
  const std::string installs = home / ".local/share/mise/installs";
  home.program(".local/share/mise/installs/node/20.1.0/bin/node");
  home.link(".local/share/mise/installs/node/20", "./20.1.0");
  const std::string codex = home.program(".local/share/mise/installs/npm-openai-codex/0.171.0/bin/codex", "#!/usr/bin/env node\n");
  const std::string shims = home / ".local/share/mise/shims";
  Executable found = home.find("codex", shims + ":/usr/bin:/bin");
  EXPECT_EQ(found.problem, ExecutableProblem::none) << found.detail;
  EXPECT_EQ(found.program, codex);
  EXPECT_EQ(found.needs, (Paths{installs + "/node/20.1.0", installs + "/npm-openai-codex/0.171.0"}));
  home.program(".local/share/mise/installs/node/22.2.0/bin/node");
  EXPECT_EQ(home.find("node", shims).problem, ExecutableProblem::shim_unresolved);
  home.tree.file("home/u/.config/mise/config.toml", "[settings]\nnode = \"9\"\n[tools]\nnode = \"20\"\n\"npm:@openai/codex\" = \"latest\"\n");
  EXPECT_EQ(home.find("node", shims).real, installs + "/node/20.1.0/bin/node");
  home.tree.file("home/u/p/mise.toml", "[tools]\nnode = { version = \"22\", postinstall = \"x\" }\n");
  EXPECT_EQ(home.find("node", shims).real, installs + "/node/22.2.0/bin/node");
  home.tree.file("home/u/p/mise.toml", "[tools]\nnode = \"../../../../p\"\n");
  EXPECT_EQ(home.find("node", shims).problem, ExecutableProblem::shim_unresolved);
}

TEST(Executable, H06VoltaByItsFiles) {
  Home home;
  home.program(".volta/bin/volta-shim");
  for (const char* name : {"node", "npm", "codex"}) home.link(std::string(".volta/bin/") + name, "volta-shim");
  const std::string images = home / ".volta/tools/image";
  home.program(".volta/tools/image/node/20.1.0/bin/node");
  home.program(".volta/tools/image/node/18.0.0/bin/node");
  home.program(".volta/tools/image/node/20.1.0/bin/npm", "#!/usr/bin/env node\n");
  home.program(".volta/tools/image/packages/@openai/codex/lib/node_modules/@openai/codex/bin/codex.js", "#!/usr/bin/env node\n");
  home.link(".volta/tools/image/packages/@openai/codex/bin/codex", "../lib/node_modules/@openai/codex/bin/codex.js");
  home.tree.file("home/u/.volta/tools/user/platform.json", R"({"node": {"runtime": "20.1.0", "npm": null}, "pnpm": null, "yarn": null})");
  home.tree.file("home/u/.volta/tools/user/bins/codex.json", R"({"name":"codex","package":"@openai/codex","version":"0.171.0"})");
  const std::string search_path = home / ".volta/bin" + ":/usr/bin:/bin";
  const Executable found = home.find("codex", search_path);
  EXPECT_EQ(found.problem, ExecutableProblem::none) << found.detail;
  EXPECT_EQ(found.program, images + "/packages/@openai/codex/bin/codex");
  EXPECT_EQ(found.real, images + "/packages/@openai/codex/lib/node_modules/@openai/codex/bin/codex.js");
  EXPECT_EQ(found.shims, (Shims{{home / ".volta/bin", images + "/packages/@openai/codex/bin"}, {home / ".volta/bin", images + "/node/20.1.0/bin"}}));
  EXPECT_EQ(found.needs, Paths{home / ".volta"});
  EXPECT_EQ(home.find("npm", search_path).program, images + "/node/20.1.0/bin/npm");
  home.tree.file("home/u/p/package.json", R"({"name": "x", "volta": {"node": "18.0.0"}})");
  EXPECT_EQ(home.find("node", search_path).program, images + "/node/18.0.0/bin/node");
  home.tree.file("home/u/p/package.json", R"({"volta": {"node": "../../../bin"}})");
  EXPECT_EQ(home.find("node", search_path).problem, ExecutableProblem::shim_unresolved);
}

TEST(Executable, H06WrappersOfPnpmNeedTheirNode) {
  const Home home;
  const std::string wrapper = "#!/bin/sh\nbasedir=$(dirname \"$0\")\nif [ -x \"$basedir/node\" ]; then\n  exec \"$basedir/node\"  \"$basedir/x.js\" \"$@\"\n"
                              "else\n  exec node  \"$basedir/global/5/node_modules/x/x.js\" \"$@\"\nfi\n";
  home.program(".local/share/pnpm/codex", wrapper);
  home.program(".nvm/versions/node/v20.1.0/bin/node");
  const Executable found = home.find("codex", home / ".local/share/pnpm" + ":" + home / ".nvm/versions/node/v20.1.0/bin" + ":/bin");
  EXPECT_EQ(found.problem, ExecutableProblem::none) << found.detail;
  EXPECT_EQ(found.interpreter_program, "node");
  EXPECT_EQ(found.needs, (Paths{home / ".local/share/pnpm", home / ".nvm/versions/node/v20.1.0"}));
  EXPECT_EQ(home.find("codex", home / ".local/share/pnpm" + ":/no").problem, ExecutableProblem::none);  // it may know another way
}

TEST(Executable, H06OtherShapesOfInstallations) {
  const Home home;
  const auto needs = [&](const std::string& name, const std::string& search_path) {
    const Executable found = home.find(name, search_path + ":/usr/bin:/bin");
    EXPECT_EQ(found.problem, ExecutableProblem::none) << name << ": " << found.detail;
    EXPECT_TRUE(found.shims.empty());
    return found.needs;
  };
  // bun: a link into its own installation, run by bun itself.
  home.program(".bun/bin/bun");
  home.program(".bun/install/global/node_modules/opencode-ai/bin/opencode", "#!/usr/bin/env bun\n");
  home.link(".bun/bin/opencode", "../install/global/node_modules/opencode-ai/bin/opencode");
  EXPECT_EQ(needs("opencode", home / ".bun/bin"), Paths{home / ".bun"});
  // uv: a tool's own environment, whose Python is a link to one that uv installed.
  home.program(".local/share/uv/python/cpython-3.12/bin/python3.12");
  home.link(".local/share/uv/tools/aider-chat/bin/python", home / ".local/share/uv/python/cpython-3.12/bin/python3.12");
  home.program(".local/share/uv/tools/aider-chat/bin/aider", "#!" + home / ".local/share/uv/tools/aider-chat/bin/python" + "\n");
  home.link(".local/bin/aider", home / ".local/share/uv/tools/aider-chat/bin/aider");
  EXPECT_EQ(needs("aider", home / ".local/bin"), (Paths{home / ".local/share/uv/python/cpython-3.12", home / ".local/share/uv/tools/aider-chat"}));
  // Nix: profile links, then the store.
  home.tree.program("nix/store/abc-claude/bin/claude", "#!/bin/sh\n");
  home.tree.link("nix/var/profile", home.tree / "nix/store/abc-claude");
  home.link(".nix-profile", home.tree / "nix/var/profile");
  EXPECT_EQ(needs("claude", home / ".nix-profile/bin"), Paths{home.tree / "nix/store"});
  // Homebrew: bin links into the cellar, and the interpreter's through opt.
  home.tree.program("linuxbrew/.linuxbrew/Cellar/node/20/bin/node", "#!/bin/sh\n");
  home.tree.link("linuxbrew/.linuxbrew/opt/node", "../Cellar/node/20");
  home.tree.program("linuxbrew/.linuxbrew/Cellar/gemini-cli/0.61/bin/gemini", "#!" + home.tree / "linuxbrew/.linuxbrew/opt/node/bin/node" + "\n");
  home.tree.link("linuxbrew/.linuxbrew/bin/gemini", "../Cellar/gemini-cli/0.61/bin/gemini");
  EXPECT_EQ(needs("gemini", home.tree / "linuxbrew/.linuxbrew/bin"), Paths{home.tree / "linuxbrew/.linuxbrew"});
  // A snap is started by a service that no sandbox reaches.
  home.tree.program("usr/bin/snap", "#!/bin/sh\n");
  home.tree.link("snap/bin/goose", home.tree / "usr/bin/snap");
  EXPECT_EQ(home.find("goose", home.tree / "snap/bin").problem, ExecutableProblem::shim_unresolved);
}

TEST(ToolVersions, AreReadByLineAndBounded) {
  const ToolVersions tools = parse_tool_versions("nodejs 20.1.0 system\n# x 1\npython\n\truby 3\n");
  EXPECT_EQ(tools, (ToolVersions{{"nodejs", {"20.1.0", "system"}}, {"ruby", {"3"}}}));
  EXPECT_EQ(parse_mise_tools("a = \"1\"\n[tools]\nb = ['1', \"2\"]\nc = 3\n\"d:e\" = \"x\nf = { version = '4' }\n[env]\ng = \"5\"\n"),
            (ToolVersions{{"b", {"1", "2"}}, {"f", {"4"}}}));
  std::string many = "[tools]\n";
  for (int i = 0; i < 1000; ++i) many += "t" + std::to_string(i) + " = \"1\"\n";
  EXPECT_EQ(parse_mise_tools(many).size(), 256u);
  EXPECT_EQ(mise_directory_of("npm:@openai/codex"), "npm-openai-codex");
  EXPECT_EQ(mise_directory_of("../x"), "..-x");
  EXPECT_EQ(mise_directory_of(".."), "");
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
