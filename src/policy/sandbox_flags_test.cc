#include "policy/sandbox_flags.h"

#include <gtest/gtest.h>

#include <set>

namespace paddock {
namespace {

using Uses = std::vector<FlagUse>;

// "--net off", "--sandbox=native", "--ssh-agent", as the command line hands them over.
Uses uses(const std::vector<std::string>& words) {
  Uses all;
  for (const std::string& word : words) {
    const auto at = word.find_first_of(" =");
    if (at == std::string::npos) all.push_back({word, std::nullopt});
    else all.push_back({word.substr(0, at), word.substr(at + 1)});
  }
  return all;
}

SandboxFlagContext context() {
  SandboxFlagContext facts{"/here", {{"calls_filtered", "kernel_tunables"}, {"files_hidden"}}, {}};
  facts.check_profile = [](std::string_view name) -> Result<void> {
    if (name == "mine" || name == "strict") return {};
    return error(ErrorCode::usage, "no profile is called \"" + std::string(name) + "\"");
  };
  return facts;
}

Result<SandboxChoice> read(const std::vector<std::string>& words) { return read_sandbox_flags(uses(words), context()); }

std::string failure(const std::vector<std::string>& words) {
  const auto choice = read(words);
  if (choice.ok()) return "(no error)";
  EXPECT_EQ(choice.failure().code, ErrorCode::usage);
  return choice.failure().message;
}

struct TypeCase {
  std::vector<std::string> words;
  Confinement sandbox;
  SandboxType type;
  std::string_view stated_by;  // empty: nobody
};

TEST(SandboxFlags, WhetherAndWithWhat) {
  const TypeCase cases[] = {
      {{}, Confinement::unset, SandboxType::automatic, ""},
      {{"--sandbox"}, Confinement::on, SandboxType::bubblewrap, "--sandbox"},
      {{"--sandbox=docker"}, Confinement::on, SandboxType::docker, "--sandbox"},
      {{"--sandbox=auto"}, Confinement::on, SandboxType::automatic, "--sandbox"},
      {{"--sandbox-type native"}, Confinement::on, SandboxType::native, "--sandbox-type"},
      {{"--sandbox", "--sandbox-type landlock"}, Confinement::on, SandboxType::landlock, "--sandbox-type"},
      {{"--sandbox-type auto", "--sandbox"}, Confinement::on, SandboxType::automatic, "--sandbox-type"},
      {{"--sandbox=podman", "--sandbox-type podman"}, Confinement::on, SandboxType::podman, "--sandbox-type"},
      {{"--sandbox", "--sandbox"}, Confinement::on, SandboxType::bubblewrap, "--sandbox"},
      {{"--no-sandbox"}, Confinement::off, SandboxType::automatic, ""},
      {{"--no-sandbox", "--no-sandbox"}, Confinement::off, SandboxType::automatic, ""},
      {{"--net on"}, Confinement::on, SandboxType::automatic, ""},
  };
  for (const TypeCase& one : cases) {
    const auto choice = read(one.words);
    ASSERT_TRUE(choice.ok()) << choice.failure().message;
    EXPECT_EQ(choice->sandbox, one.sandbox);
    EXPECT_EQ(choice->type.value, one.type);
    EXPECT_EQ(choice->type.origin.where, one.stated_by);
  }
}

TEST(SandboxFlags, AWordIsATypeOnlyWhenItNamesOne) {
  for (const std::string_view word : {"auto", "bubblewrap", "native", "landlock", "docker", "podman"}) {
    EXPECT_TRUE(is_sandbox_type(word)) << word;
  }
  for (const std::string_view word : {"", "cmd", "bwrap", "Docker", "docker-compose", "--"}) {
    EXPECT_FALSE(is_sandbox_type(word)) << word;
  }
}

TEST(SandboxFlags, EachFlagSaysItsPartOfThePolicy) {
  const auto by = [](std::string_view flag) { return Origin{OriginKind::flag, std::string(flag)}; };
  const auto choice = read({"--profile mine", "--sandbox-workspace ../w", "--net off", "--fs ro", "--ro notes?", "--rw /out",
                            "--mask *.key", "--protect !.envrc", "--env A", "--env B=x=y", "--ssh-agent", "--credentials private",
                            "--without calls_filtered", "--without calls_filtered", "--permissions ask", "--memory 1G",
                            "--cpus 1.5", "--pids 64", "--timeout 90s", "--env-file a.env", "--env-file b.env"});
  ASSERT_TRUE(choice.ok()) << choice.failure().message;
  Policy wanted;
  wanted.network.state(NetworkMode::off, by("--net"));
  wanted.filesystem.workspace.state(WorkspaceAccess::read_only, by("--fs"));
  wanted.filesystem.read = {{"notes", "/here", true, by("--ro")}};
  wanted.filesystem.write = {{"/out", "/here", false, by("--rw")}};
  wanted.filesystem.mask = {{"*.key", "/here", false, by("--mask")}};
  wanted.filesystem.protect = {{".envrc", "/here", true, by("--protect")}};
  wanted.variables = {{"A", std::nullopt, by("--env")}, {"B", "x=y", by("--env")}};
  wanted.ssh_agent.state(true, by("--ssh-agent"));
  wanted.credentials.state(CredentialMode::private_state, by("--credentials"));
  wanted.without = {{"calls_filtered", by("--without")}};
  wanted.permissions.state(Permissions::ask, by("--permissions"));
  wanted.limits.memory_bytes.state(std::uint64_t{1} << 30, by("--memory"));
  wanted.limits.cpu_milli.state(1500, by("--cpus"));
  wanted.limits.processes.state(64, by("--pids"));
  wanted.limits.wall_time_ms.state(90'000, by("--timeout"));
  EXPECT_EQ(choice->overlay, wanted);
  EXPECT_EQ(choice->profile.value, "mine");
  EXPECT_EQ(choice->profile.origin.where, "--profile");
  EXPECT_EQ(choice->workspace.value, "../w");
  EXPECT_EQ(choice->env_files, (std::vector<std::string>{"a.env", "b.env"}));
}

struct Conflict {
  std::vector<std::string> words;
  std::string_view message;
};

TEST(SandboxFlags, Contradictions) {
  const Conflict cases[] = {
      {{"--sandbox", "--no-sandbox"}, "--no-sandbox and --sandbox contradict each other"},
      {{"--no-sandbox", "--sandbox-type docker"}, "--no-sandbox and --sandbox-type contradict each other"},
      {{"--sandbox=native", "--sandbox-type docker"},
       "--sandbox and --sandbox-type contradict each other; the last says \"docker\""},
      {{"--sandbox=native", "--sandbox=docker"},
       "--sandbox is given twice, with different values; the last says \"docker\""},
      {{"--net on", "--net off"}, "--net is given twice, with different values; the last says \"off\""},
      {{"--net on", "--sandbox-net off"}, "--net and --sandbox-net contradict each other; the last says \"off\""},
      {{"--profile mine", "--sandbox-profile strict"},
       "--profile and --sandbox-profile contradict each other; the last says \"strict\""},
      {{"--memory 1G", "--memory 2G"}, "--memory is given twice, with different values; the last says \"2G\""},
      {{"--fs rw", "--fs ro"}, "--fs is given twice, with different values; the last says \"ro\""},
      {{"--credentials none", "--credentials login"}, "--credentials is given twice, with different values; the last says \"login\""},
      {{"--env A=1", "--env A=2"}, "--env: A is given twice, with different values"},
  };
  for (const Conflict& one : cases) EXPECT_EQ(failure(one.words), one.message);
}

TEST(SandboxFlags, EveryOtherFlagContradictsNoSandbox) {
  for (const SandboxFlagRow& row : sandbox_flags()) {
    if (row.flag == SandboxFlag::no_sandbox) continue;
    std::vector<std::string_view> names(row.aliases.begin(), row.aliases.end());
    names.push_back(row.name);
    for (const std::string_view name : names) {
      const auto choice = read_sandbox_flags({{"--no-sandbox", {}}, {std::string(name), "x"}}, context());
      ASSERT_FALSE(choice.ok()) << name;
      EXPECT_EQ(choice.failure().message, "--no-sandbox and " + std::string(name) + " contradict each other");
    }
  }
}

TEST(SandboxFlags, TheSameValueAgainIsFine) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"--net off", "--sandbox-net off"},
           {"--memory 1G", "--memory 1024M"},
           {"--timeout 60", "--timeout 1m"},
           {"--env A=1", "--env A=1"},
           {"--ssh-agent", "--ssh-agent"}}) {
    const auto choice = read(words);
    EXPECT_TRUE(choice.ok()) << choice.failure().message;
  }
}

TEST(SandboxFlags, ValuesThatAreNone) {
  const Conflict cases[] = {
      {{"--sandbox=bubblewarp"}, "--sandbox: no sandbox type is called \"bubblewarp\"; did you mean \"bubblewrap\"?"},
      {{"--sandbox-type chroot"}, "--sandbox-type: no sandbox type is called \"chroot\""},
      {{"--profile nope"}, "--profile: no profile is called \"nope\""},
      {{"--net onn"}, "--net: no network mode is called \"onn\"; did you mean \"on\"?"},
      {{"--fs rx"}, "--fs: no kind of access is called \"rx\"; did you mean \"rw\"?"},
      {{"--permissions maybe"}, "--permissions: no way with permissions is called \"maybe\""},
      {{"--credentials logn"}, "--credentials: no credential mode is called \"logn\"; did you mean \"login\"?"},
      {{"--credentials"}, "--credentials needs a value: --credentials MODE"},
      {{"--memory 512"}, "--memory: \"512\" is less than 1 MiB, and nothing starts in that; did you mean \"512M\"?"},
      {{"--cpus 0"}, "--cpus: \"0\" leaves no CPU to run on; the least is 0.01"},
      {{"--pids -1"}, "--pids: \"-1\" is not a number of processes; write a whole number such as 2048"},
      {{"--timeout soon"},
       "--timeout: \"soon\" is not a length of time above zero; write one such as 90s, 15m, 2h or 1d"},
      {{"--without files_hidden"}, "--without: \"files_hidden\" cannot be given up: it always holds"},
      {{"--without call_filtered"},
       "--without: no guarantee is called \"call_filtered\"; did you mean \"calls_filtered\"?"},
      {{"--ro ?"}, "--ro: an empty path"},
      {{"--mask !x"},
       "--mask: \"!x\": a mask is not taken back with \"!\", which is for entries of the protected list"},
      {{"--env 1A=secret"},
       "--env: \"1A\" is not a variable's name: letters, digits and _, not beginning with a digit"},
      {{"--env =secret"}, "--env: a variable's name is missing"},
      {{"--net"}, "--net needs a value: --net MODE"},
      {{"--net="}, "--net has an empty value: --net MODE"},
      {{"--sandbox="}, "--sandbox has an empty value: --sandbox TYPE"},
      {{"--sandbox-workspace="}, "--sandbox-workspace has an empty value: --sandbox-workspace PATH"},
      {{"--ssh-agent=yes"}, "--ssh-agent takes no value"},
      {{"--bogus"}, "\"--bogus\" is not a sandbox flag"},
  };
  for (const Conflict& one : cases) EXPECT_EQ(failure(one.words), one.message);
  EXPECT_EQ(read({"--net onn"}).failure().hint, "one of: off, local, allow, ask, open, on");
}

TEST(SandboxFlags, AValueOnTheCommandLineIsWarnedAboutWithoutBeingRepeated) {
  EXPECT_TRUE(read({"--env A"})->warnings.empty());
  const auto warnings = read({"--env A=hunter2"})->warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0], "the value in --env A=... can be seen in the process list; --env A passes it from here unseen, "
                         "and --env-file reads it from a file");
}

TEST(SandboxFlags, EveryFlagIsInTheTableOnceAndSaysWhatItTakes) {
  std::set<std::string_view> names;
  std::set<SandboxFlag> flags;
  for (const SandboxFlagRow& row : sandbox_flags()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    for (const std::string_view alias : row.aliases) EXPECT_TRUE(names.insert(alias).second) << alias;
    EXPECT_TRUE(flags.insert(row.flag).second) << row.name;
    EXPECT_EQ(row.value == FlagValue::none, row.value_name.empty()) << row.name;
    EXPECT_FALSE(row.help.empty() || row.group.empty()) << row.name;
    EXPECT_EQ(sandbox_flag_named(row.name), &row);
  }
  EXPECT_EQ(flags.size(), 21u);
  EXPECT_EQ(sandbox_flag_named("--net")->flag, SandboxFlag::net);
  EXPECT_EQ(sandbox_flag_named("--profile")->flag, SandboxFlag::profile);
  EXPECT_EQ(sandbox_flag_named("--nope"), nullptr);
}

TEST(EnvFile, LinesAreTakenAsTheyStand) {
  const auto variables = parse_env_file("\xEF\xBB\xBF# comment\n\nA=1\r\n  B=\"x y\" # z\nC=\nD\nE=a=b", "f");
  ASSERT_TRUE(variables.ok()) << variables.failure().message;
  const auto at = [](int line) { return Origin{OriginKind::flag, "--env-file f:" + std::to_string(line)}; };
  const std::vector<VariableRule> wanted = {{"A", "1", at(3)}, {"B", "\"x y\" # z", at(4)}, {"C", "", at(5)},
                                            {"D", std::nullopt, at(6)}, {"E", "a=b", at(7)}};
  EXPECT_EQ(*variables, wanted);
}

TEST(EnvFile, ErrorsNameTheLineAndNeverTheValue) {
  using namespace std::string_view_literals;
  const auto message = [](std::string_view text) { return parse_env_file(text, "f").failure().message; };
  EXPECT_EQ(message("A=1\nexport B=hunter2"), "f:2: begins with \"export\"; write NAME=value alone");
  EXPECT_EQ(message("B =hunter2"), "f:1: has a space before the \"=\"; write NAME=value");
  EXPECT_EQ(message("A=1\nA=\0x"sv), "f:2: holds a NUL character");
  EXPECT_EQ(message(std::string(env_file_bytes_max + 1, '#')), "f:1: larger than 1 MiB");
  std::string many;
  for (std::size_t i = 0; i <= env_file_variables_max; ++i) many += "A=1\n";
  EXPECT_EQ(message(many), "f:4097: more than 4096 variables");
  for (const std::string_view text : {"hunter2!", "=hunter2", "1=hunter2", "hunter2 hunter2"}) {
    EXPECT_EQ(message(text).find("hunter2"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace paddock
