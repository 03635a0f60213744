#include "policy/load.h"

#include <gtest/gtest.h>

#include "policy/toml_document.h"
#include "policy/value.h"

namespace paddock {
namespace {

Result<PolicyFile> read(std::string_view toml, OriginKind kind = OriginKind::user_config) {
  return read_policy(toml, "c.toml", kind, "/base");
}

std::string failure(std::string_view toml, OriginKind kind = OriginKind::user_config) {
  const auto file = read(toml, kind);
  return file.ok() ? "(no error)" : file.failure().message;
}

// The example of the reference: every key of the vocabulary at once.
constexpr std::string_view everything = R"(
[filesystem]
world = "host"
workspace = "cow"
read = ["/opt/data", "~/notes?"]
write = ["out"]
mask = ["secrets/**"]
protect = ["deploy/", "!.envrc"]
temp = "private"
toolchains = "path"
dotfiles = "listed"
caches = "tools"
[network]
mode = "ask"
[environment]
base = "minimal"
pass = ["NAME"]
set = { OTHER = "value" }
[limits]
memory = "8G"
cpus = 4
pids = 2048
wall_time = "2h"
[credentials]
mode = "private"
ssh_agent = true
[process]
nested = "full"
[git]
mode = "real"
[isolation]
without = ["kernel_tunables"]
[permissions]
mode = "ask"
)";

TEST(ReadPolicy, EveryKeyKeepsItsValueAndItsLine) {
  const auto at = [](int line) { return Origin{OriginKind::user_config, "c.toml:" + std::to_string(line)}; };
  Policy wanted;
  wanted.filesystem.world.state(World::host, at(3));
  wanted.filesystem.workspace.state(WorkspaceAccess::copy_on_write, at(4));
  wanted.filesystem.read = {{"/opt/data", "/base", false, at(5)}, {"~/notes", "/base", true, at(5)}};
  wanted.filesystem.write = {{"out", "/base", false, at(6)}};
  wanted.filesystem.mask = {{"secrets/**", "", false, at(7)}};
  wanted.filesystem.protect = {{"deploy/", "", false, at(8)}, {".envrc", "", true, at(8)}};
  wanted.filesystem.temp.state(Temp::private_temp, at(9));
  wanted.filesystem.toolchains.state(Toolchains::path, at(10));
  wanted.filesystem.dotfiles.state(Dotfiles::listed, at(11));
  wanted.filesystem.caches.state(Caches::tools, at(12));
  wanted.network.state(NetworkMode::ask, at(14));
  wanted.environment_base.state(EnvironmentBase::minimal, at(16));
  wanted.variables = {{"NAME", std::nullopt, at(17)}, {"OTHER", "value", at(18)}};
  wanted.limits.memory_bytes.state(std::uint64_t{8} << 30, at(20));
  wanted.limits.cpu_milli.state(4000, at(21));
  wanted.limits.processes.state(2048, at(22));
  wanted.limits.wall_time_ms.state(7'200'000, at(23));
  wanted.credentials.state(CredentialMode::private_state, at(25));
  wanted.ssh_agent.state(true, at(26));
  wanted.nested.state(Nested::full, at(28));
  wanted.git.state(GitMode::real, at(30));
  wanted.without = {{"kernel_tunables", at(32)}};
  wanted.permissions.state(Permissions::ask, at(34));

  const auto file = read(everything);
  ASSERT_TRUE(file.ok()) << file.failure().message;
  EXPECT_EQ(file->policy, wanted);
}

TEST(ReadPolicy, SettingsOfTheUsersConfigFile) {
  const auto file = read(
      "profile = \"strict\"\n[sandbox]\nenabled = false\n[backends]\norder = [\"native\", \"bubblewrap\"]\n"
      "[backends.bubblewrap]\nprogram = \"/opt/bwrap\"\nprobe_timeout = 30\n");
  ASSERT_TRUE(file.ok()) << file.failure().message;
  const auto at = [](int line) { return Origin{OriginKind::user_config, "c.toml:" + std::to_string(line)}; };
  PolicyFile wanted;
  wanted.profile.state("strict", at(1));
  wanted.sandbox_enabled.state(false, at(3));
  wanted.backends.order.state({"native", "bubblewrap"}, at(5));
  wanted.backends.bubblewrap_program.state("/opt/bwrap", at(7));
  wanted.backends.bubblewrap_probe_seconds.state(30, at(8));
  EXPECT_EQ(*file, wanted);
}

TEST(ReadPolicy, AnEmptyFileSaysNothing) {
  for (const std::string_view text : {"", "\n\n", "# only a comment", "\xEF\xBB\xBF"}) {
    const auto file = read(text);
    ASSERT_TRUE(file.ok()) << file.failure().message;
    EXPECT_EQ(*file, PolicyFile());
  }
}

struct Wrong {
  std::string_view toml;
  std::string_view message;
};

// C163: misspelled and unknown keys at each level, wrong types, duplicates, trailing garbage.
TEST(ReadPolicy, C163UnknownAndMisspelledKeysAreErrorsWithTheirLine) {
  const Wrong cases[] = {
      {"[filesystem]\nnetwrok = \"off\"", "c.toml:2: unknown key \"netwrok\" in [filesystem]; did you mean \"network\"?"},
      {"[netwrok]\nmode = \"off\"", "c.toml:1: unknown table \"netwrok\" at the top of the file; did you mean \"network\"?"},
      {"[filesystem]\nmemory = \"1G\"", "c.toml:2: unknown key \"memory\" in [filesystem]; \"memory\" belongs in [limits]"},
      {"[filesystem]\nmemry = \"1G\"", "c.toml:2: unknown key \"memry\" in [filesystem]; did you mean \"memory\" in [limits]?"},
      {"[limits]\nprofile = \"x\"", "c.toml:2: unknown key \"profile\" in [limits]; it belongs at the top of the file"},
      {"[git]\nmaskPath = []", "c.toml:2: unknown key \"maskPath\" in [git]; known here: mode"},
      {"[backends.bubblewrap]\nprobe_timout = 3",
       "c.toml:2: unknown key \"probe_timout\" in [backends.bubblewrap]; did you mean \"probe_timeout\"?"},
      {"workspace = \"rw\"", "c.toml:1: \"workspace\" belongs in [filesystem]"},
      {"network = \"off\"", "c.toml:1: \"network\" must be a table, [network] with keys of its own, not a string"},
      {"[filesystem]\nmask = \"x\"", "c.toml:2: \"mask\" must be a list of strings, not a string"},
      {"[filesystem]\nmask = [\"x\", 3]", "c.toml:2: \"mask\" must be a list of strings, not a whole number"},
      {"[credentials]\nssh_agent = \"yes\"", "c.toml:2: \"ssh_agent\" must be true or false, not a string"},
      {"[environment]\nset = { A = 1 }", "c.toml:2: \"set.A\" must be a string (in quotes), not a whole number"},
      {"[[git]]\nmode = \"real\"", "c.toml:1: \"git\" must be a table, [git] with keys of its own, not a list"},
  };
  for (const Wrong& one : cases) EXPECT_EQ(failure(one.toml), one.message) << one.toml;
}

TEST(ReadPolicy, C163SyntaxErrorsAndDuplicatesNameTheLine) {
  const Wrong cases[] = {
      {"[git]\nmode = \"real\"\nmode = \"private\"", "c.toml:3: not valid TOML"},
      {"[git]\nmode = \"real\"\n[git]\n", "c.toml:3: not valid TOML"},
      {"[git]\nmode = \"real\"\ngarbage", "c.toml:3: not valid TOML"},
      {"[git]\nmode = \"real\" trailing", "c.toml:2: not valid TOML"},
      {"[git\n", "c.toml:1: not valid TOML"},
      {"a = \"\xff\"", "c.toml:1: not valid TOML"},
  };
  for (const Wrong& one : cases) EXPECT_EQ(failure(one.toml).substr(0, one.message.size()), one.message) << one.toml;
}

TEST(ReadPolicy, BytesAndSizesThatNoSuchFileHas) {
  using namespace std::string_view_literals;
  EXPECT_EQ(failure("\n\n\0"sv), "c.toml:3: holds a NUL byte");
  EXPECT_EQ(failure(std::string(toml_bytes_max + 1, '\n')), "c.toml:1: larger than 1 MiB; no file of this kind is");
  EXPECT_EQ(failure("[filesystem]\nread = [\"a\\u0000b\"]"), "c.toml:2: \"read\" must not hold a NUL character");
  EXPECT_EQ(failure("\na" + std::string(400'000, '.')), "c.toml:2: more than 32 levels deep");
  EXPECT_EQ(failure("a = " + std::string(100, '[')), "c.toml:1: more than 32 levels deep");
  EXPECT_EQ(failure("[filesystem]\nread = [\"" + std::string(path_bytes_max, 'a') + "\"]"),
            "c.toml:2: \"read\": a path must be shorter than 4096 bytes");
}

// Texts on which the TOML library itself would abort.
TEST(ReadPolicy, MalformedTextsEndInAnError) {
  const Wrong cases[] = {
      {"\n[[+x]]", "c.toml:2: not valid TOML: a table's name is missing after \"[\""},
      {"[[[x]]]", "c.toml:1: not valid TOML: a table's name is missing after \"[\""},
      {"[ .x]", "c.toml:1: not valid TOML: a table's name is missing after \"[\""},
      {"\xEF\xBB\xBF[\n", "c.toml:1: not valid TOML: a table's name is missing after \"[\""},
      {"a = 1\xEF\xBB\xBF", "c.toml:1: not valid TOML: a character beyond ASCII outside quotes"},
      {"a = [\"x\",}", "c.toml:1: not valid TOML: \"}\" where a list ends with \"]\""},
      {"a = {b = 1]", "c.toml:1: not valid TOML: \"]\" where a table ends with \"}\""},
      {"a = 1\"\"\"\n\xC3\xA9", "c.toml:1: not valid TOML: a quote within a value"},
      {"a = [\n1.\"\xC3\xA9\"]", "c.toml:2: not valid TOML: a quote within a value"},
      {"a = \"\"\"\n\\\xC3\xA9\"\"\"", "c.toml:2: not valid TOML: a backslash before a character beyond ASCII"},
      {"a = [1979-05-27 0]", "c.toml:1: not valid here: nothing in this file is a date or a time"},
      {"a = 1979-05-27T&7:32:00Z", "c.toml:1: not valid here: nothing in this file is a date or a time"},
      {"a = 07:3", "c.toml:1: not valid here: nothing in this file is a date or a time"},
      {"a = 1979-05-27 07:32:00", "c.toml:1: not valid here: nothing in this file is a date or a time"},
  };
  for (const Wrong& one : cases) EXPECT_EQ(failure(one.toml), one.message) << one.toml;
  const std::string_view others[] = {"[", "[[", "[]", "[[]]", "[ [x]]", "a = [", "[\"", "[x", "[[x]", "\"\"\"", "]", "}", "a = ]"};
  for (const std::string_view text : others) {
    EXPECT_TRUE(failure(text).starts_with("c.toml:1: ")) << text;
  }
}

TEST(ReadPolicy, DotsAndBracketsInStringsAndCommentsAreNotLevels) {
  const std::string dots(100, '.');
  const auto file = read("# " + dots + "\n[filesystem]\nread = [\"/" + dots + "\", '/[[" + dots + "\\', \"\"\"/\\\"\n" + dots +
                         "\"\"\"]\n");
  ASSERT_TRUE(file.ok()) << file.failure().message;
  EXPECT_EQ(file->policy.filesystem.read.size(), 3u);
}

TEST(ReadPolicy, EveryFormOfStringIsFollowedToItsEnd) {
  const auto file = read(R"T(
["filesystem"]
'read' = ["""/a""""", '''/é'''', '/[', # [[[ é
  "/\"]"]
[environment]
set = { "A" = '{', B = "}" }
)T");
  ASSERT_TRUE(file.ok()) << file.failure().message;
  std::vector<std::string> paths;
  for (const PathRule& rule : file->policy.filesystem.read) paths.push_back(rule.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"/a\"\"", "/é'", "/[", "/\"]"}));
  EXPECT_EQ(file->policy.variables.size(), 2u);
  EXPECT_EQ(failure("[backends.\"x\".'y']"),
            "c.toml:1: unknown table \"x\" in [backends]; known here: order, bubblewrap");
}

TEST(ReadPolicy, ValuesOutsideTheirWordsNameTheAllowedOnes) {
  const Wrong cases[] = {
      {"[network]\nmode = \"offf\"",
       "c.toml:2: \"mode\" cannot be \"offf\"; one of: off, local, allow, ask, open, on (did you mean \"off\"?)"},
      {"[git]\nmode = \"\"", "c.toml:2: \"mode\" cannot be \"\"; one of: private, protected, real"},
      {"[backends]\norder = [\"bwrap\"]",
       "c.toml:2: \"order\" cannot be \"bwrap\"; one of: bubblewrap, native, landlock, docker, podman"},
      {"[backends]\norder = [\"native\", \"native\"]", "c.toml:2: \"order\" names \"native\" twice"},
      {"[backends]\norder = []", "c.toml:2: \"order\" names no backend"},
      {"[backends.bubblewrap]\nprobe_timeout = 0",
       "c.toml:2: \"probe_timeout\" must be a whole number of seconds from 1 to 30"},
      {"[backends.bubblewrap]\nprobe_timeout = 31",
       "c.toml:2: \"probe_timeout\" must be a whole number of seconds from 1 to 30"},
      {"[backends.bubblewrap]\nprogram = \"./bwrap\"", "c.toml:2: \"program\" must be a full path, such as /usr/bin/bwrap, or the name of a command on PATH"},
  };
  for (const Wrong& one : cases) EXPECT_EQ(failure(one.toml), one.message) << one.toml;
}

TEST(ReadPolicy, SillyLimitsAreRefusedWithWhatToWrite) {
  const Wrong cases[] = {
      {"memory = 512", "\"512\" is less than 1 MiB, and nothing starts in that; did you mean \"512M\"?"},
      {"memory = \"lots\"", "\"lots\" is not a size; write a number with a unit, such as 512M or 8G"},
      {"memory = \"4096T\"", "\"4096T\" is more memory than any machine has"},
      {"cpus = 0", "\"0\" leaves no CPU to run on; the least is 0.01"},
      {"cpus = -1", "\"-1\" is not a number of CPUs; write one such as 4 or 1.5"},
      {"cpus = 99999", "\"99999\" is more CPUs than Linux can have (8192)"},
      {"pids = 0", "with 0 processes nothing can start; the least is 1"},
      {"wall_time = 0", "\"0\" is not a length of time above zero; write one such as 90s, 15m, 2h or 1d"},
      {"wall_time = \"9999d\"", "\"9999d\" is longer than 366d; leave the limit out instead"},
  };
  for (const Wrong& one : cases) {
    const std::string toml = "[limits]\n" + std::string(one.toml);
    const std::string key(one.toml.substr(0, one.toml.find(' ')));
    EXPECT_EQ(failure(toml), "c.toml:2: \"" + key + "\": " + std::string(one.message));
  }
  EXPECT_EQ(failure("[limits]\ncpus = nan"),
            "c.toml:2: \"cpus\": \"nan\" is not a number of CPUs; write one such as 4 or 1.5");
  EXPECT_EQ(failure("[limits]\npids = 1.5"),
            "c.toml:2: \"pids\" must be a whole number or a string, not a number");
  EXPECT_EQ(read("[limits]\ncpus = 1.5")->policy.limits.cpu_milli.value, 1500u);
  EXPECT_EQ(read("[limits]\nwall_time = 90 # 1979-05-27 1:0")->policy.limits.wall_time_ms.value, 90'000u);
}

TEST(ReadPolicy, PathsAndNamesThatCannotBeMeant) {
  const Wrong cases[] = {
      {"[filesystem]\nread = [\"\"]", "c.toml:2: \"read\": an empty path"},
      {"[filesystem]\nwrite = [\"?\"]", "c.toml:2: \"write\": an empty path"},
      {"[filesystem]\nprotect = [\"!\"]", "c.toml:2: \"protect\": an empty path"},
      {"[filesystem]\nread = [\"~bob/x\"]",
       "c.toml:2: \"read\": \"~bob/x\": another user's home is not looked up; write the full path, or \"./~bob/x\" for a file "
       "of that name"},
      {"[filesystem]\nmask = [\"!x\"]",
       "c.toml:2: \"mask\": \"!x\": a mask is not taken back with \"!\", which is for entries of the protected list"},
      {"[environment]\npass = [\"A B\"]",
       "c.toml:2: \"pass\": \"A B\" is not a variable's name: letters, digits and _, not beginning with a digit"},
      {"[environment]\npass = [\"A\"]\nset = { A = \"secret\" }",
       "c.toml:3: \"A\" is named twice in [environment]; pass it or set it, once"},
  };
  for (const Wrong& one : cases) EXPECT_EQ(failure(one.toml), one.message) << one.toml;
  EXPECT_EQ(read("[filesystem]\nread = [\"/a\\nb\"]")->policy.filesystem.read[0].path, "/a\nb");
}

TEST(ReadPolicy, WordsOfLaterVersionsAreRefusedByName) {
  EXPECT_EQ(failure("[workspace]\nsetup = \"make\""), "c.toml:1: \"workspace\" is not available in this version");
  EXPECT_EQ(failure("[ports]\n[image]\n"),
            "c.toml:1: \"ports\" is not available in this version\nc.toml:2: \"image\" is not available in this version");
}

TEST(ReadPolicy, EachKindOfFileSaysOnlyWhatIsItsToSay) {
  const auto profile = OriginKind::profile;
  EXPECT_EQ(failure("profile = \"x\"", profile),
            "c.toml:1: \"profile\" is for config files; a profile builds on another with: extends = \"NAME\"");
  EXPECT_EQ(failure("extends = \"x\""),
            "c.toml:1: \"extends\" is for profiles; a config file names one with: profile = \"NAME\"");
  EXPECT_EQ(failure("extends = \"\"", profile), "c.toml:1: \"extends\" names no profile");
  EXPECT_EQ(failure("[backends]\norder = [\"docker\"]", profile), "c.toml:1: \"backends\" is for config files");
  EXPECT_EQ(failure("[sandbox]\nenabled = false", profile),
            "c.toml:1: \"sandbox\" is for the user's own config file: only you say whether to run without one");
  EXPECT_EQ(failure("[sandbox]\nenabled = false", OriginKind::ceiling),
            "c.toml:1: \"sandbox\" is not for the ceiling, which says: [ceiling] forbid = [\"no_sandbox\"]");
  for (const OriginKind kind : {profile, OriginKind::user_config, OriginKind::project_config, OriginKind::repository_config}) {
    EXPECT_EQ(failure("[ceiling]\nforbid = []", kind), "c.toml:1: \"ceiling\" is for the machine's ceiling, /etc/paddock/config.toml");
  }
}

TEST(ReadPolicy, OneErrorHoldsEveryProblemInTheOrderOfTheFile) {
  EXPECT_EQ(failure("nonsense = 1\n[limits]\npids = 0\n[git]\nmode = 3"),
            "c.toml:1: unknown key \"nonsense\" at the top of the file; known here: description, extends, profile, "
            "filesystem, network, environment, limits, credentials, process, git, permissions, isolation, sandbox, "
            "backends, workspace, ports, image\n"
            "c.toml:3: \"pids\": with 0 processes nothing can start; the least is 1\n"
            "c.toml:5: \"mode\" must be a string, not a whole number");
  std::string many;
  for (int i = 0; i < 50; ++i) many += "zzzzzzzzzz" + std::to_string(i) + " = 1\n";
  EXPECT_NE(failure(many).find("\nand 30 more"), std::string::npos);
}

TEST(ReadPolicy, TheCommandLineNamesProfilesButNotConfigFiles) {
  EXPECT_EQ(read("x", OriginKind::profile).failure().code, ErrorCode::usage);
  EXPECT_EQ(read("x", OriginKind::user_config).failure().code, ErrorCode::cannot_start);
}

TEST(CheckGivenUp, NamesTheOriginAndTheNearestName) {
  const GuaranteeNames names{{"kernel_tunables", "calls_filtered"}, {"files_hidden"}};
  const auto check = [&](std::string_view toml) {
    const auto checked = check_given_up(read(toml)->policy, names);
    return checked.ok() ? std::string() : checked.failure().message;
  };
  EXPECT_EQ(check("[isolation]\nwithout = [\"calls_filtered\"]"), "");
  EXPECT_EQ(check("[isolation]\nwithout = [\"files_hidden\"]"),
            "c.toml:2: \"files_hidden\" cannot be given up: it always holds");
  EXPECT_EQ(check("[isolation]\nwithout = [\"call_filtered\"]"),
            "c.toml:2: no guarantee is called \"call_filtered\"; did you mean \"calls_filtered\"?");
}

}  // namespace
}  // namespace paddock
