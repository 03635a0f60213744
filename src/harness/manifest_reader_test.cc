#include <gtest/gtest.h>

#include "harness/manifest.h"

namespace paddock {
namespace {

std::string failure(std::string_view toml) {
  const auto manifest = read_manifest("schema = 1\nid = \"x\"\n" + std::string(toml), "x.toml");
  if (manifest.ok()) return "(no error)";
  EXPECT_EQ(manifest.failure().code, ErrorCode::usage);
  return manifest.failure().message;
}

constexpr std::string_view everything = R"(
schema = 1
id = "agent"
display = "An Agent"
homepage = "https://agent.example"
bins = ["agent", "agent-cli"]
tested = ["1.2"]
hosted_model = true
[arguments]
skip_permissions = ["--yolo"]
inner_sandbox_off = ["--sandbox", "off"]
confined = ["-c", "trust={directory:toml}"]
continue = ["-c"]
resume = ["-r", "{id}"]
oneshot = ["-p", "{prompt}"]
[arguments.suppress]
skip_permissions = ["--yolo", "-y"]
[arguments.placement]
position = "first"
after = ["run"]
only = ["", "run"]
never = ["login"]
options_with_value = ["-m"]
[[arguments.variant]]
feature = "skip_permissions"
words = ["--auto", "high"]
suppress = ["--auto"]
never = ["run"]
[preflight]
arguments = ["version", "--short"]
timeout = 5
[[help]]
command = ["run", "--help"]
flags = ["--yolo"]
[environment]
set = { A = "{home}/x", B = "{state}" }
skip_permissions = { MODE = "auto" }
pass = ["AGENT_KEY"]
[[state]]
path = "~/.local/share/agent"
override = "XDG_DATA_HOME"
override_child = "agent"
export = "moved"
class = "cache"
access = "ro"
create = false
secrets = ["auth.json"]
code = [
  { path = "settings.json", kind = "file", absent = "hold", content = "{}\n" },
  { path = "tmp", kind = "directory", inside = "private", absent = "hold" },
  { path = "*.toml", kind = "file", absent = "check" },
]
data = ["*.db"]
transcripts = ["sessions"]
watch = [{ path = "state.json", format = "json", keys = ["a.*.b"] }]
[login]
variables = ["AGENT_KEY"]
command = ["login"]
[[seed]]
path = "{state}/state.json"
from = "~/.agent.json"
content = "{}"
)";

Addition placed(std::vector<std::string> words, std::vector<std::string> suppressed_by) {
  return {std::move(words), std::move(suppressed_by), {"run"}, {"", "run"}, {"login"}, {"-m"}};
}

TEST(ReadManifest, EveryKeyHasItsPlace) {
  Manifest wanted;
  wanted.id = "agent";
  wanted.display = "An Agent";
  wanted.homepage = "https://agent.example";
  wanted.bins = {"agent", "agent-cli"};
  wanted.tested = {"1.2"};
  wanted.hosted_model = true;
  wanted.skip_permissions = {placed({"--yolo"}, {"--yolo", "-y"}), {{"--auto", "high"}, {"--auto"}, {}, {}, {"run"}, {"-m"}}};
  wanted.inner_sandbox_off = {placed({"--sandbox", "off"}, {})};
  wanted.confined = {placed({"-c", "trust={directory:toml}"}, {})};
  wanted.help = {{{"run", "--help"}, {"--yolo"}}};
  wanted.preflight = {{"version", "--short"}, 5};
  wanted.environment_set = {{"A", "{home}/x"}, {"B", "{state}"}};
  wanted.environment_skip = {{"MODE", "auto"}};
  wanted.environment_pass = {"AGENT_KEY"};
  StatePath state;
  state.path = "~/.local/share/agent";
  state.override = "XDG_DATA_HOME";
  state.override_child = "agent";
  state.exported_if_moved = true;
  state.state_class = StateClass::cache;
  state.access = StateAccess::read_only;
  state.create = false;
  state.secrets = {"auth.json"};
  state.code = {{"settings.json", false, true, "{}\n", CodeInside::protected_part},
                {"tmp", true, true, "", CodeInside::private_directory},
                {"*.toml", false, false, "", CodeInside::protected_part}};
  state.data = {"*.db"};
  state.transcripts = {"sessions"};
  state.watch = {{"state.json", "json", {"a.*.b"}}};
  wanted.state = {state};
  wanted.login = {{"AGENT_KEY"}, {"login"}};
  wanted.seeds = {{"{state}/state.json", "{}", "~/.agent.json"}};
  wanted.arguments = {{"continue", {"-c"}}, {"resume", {"-r", "{id}"}}, {"oneshot", {"-p", "{prompt}"}}};
  wanted.origin = "agent.toml";

  const auto manifest = read_manifest(everything, "agent.toml");
  ASSERT_TRUE(manifest.ok()) << manifest.failure().message;
  EXPECT_EQ(*manifest, wanted);
}

struct Wrong {
  std::string_view toml;
  std::string_view message;
};

TEST(ReadManifest, C163UnknownAndWrongKeysAreErrorsWithTheirLine) {
  const Wrong cases[] = {
      {"binz = []", "x.toml:3: unknown key \"binz\" at the top of the file; did you mean \"bins\"?"},
      {"[arguments]\nskip_permisions = []",
       "x.toml:4: unknown key \"skip_permisions\" in [arguments]; did you mean \"skip_permissions\"?"},
      {"[[state]]\npath = \"~/.x\"\nacess = \"ro\"", "x.toml:5: unknown key \"acess\" in [state]; did you mean \"access\"?"},
      {"[[state]]\npath = \"~/.x\"\ncode = [{ path = \"a\", kind = \"file\", abscent = \"hold\" }]",
       "x.toml:5: unknown key \"abscent\" in [state.code]; did you mean \"absent\"?"},
      {"bins = \"x\"", "x.toml:3: \"bins\" must be a list of strings, not a string"},
      {"bins = [\"../x\"]", "x.toml:3: \"bins\": \"../x\" must be the name of a program, looked up on PATH"},
      {"state = 3", "x.toml:3: \"state\" must be a list of tables, each under [[state]], not a whole number"},
      {"[state]\npath = \"~/.x\"", "x.toml:3: \"state\" must be a list of tables, each under [[state]], not a table"},
      {"[environment]\nset = { \"A B\" = \"\" }",
       "x.toml:4: \"set\": \"A B\" is not a variable's name: letters, digits and _, not beginning with a digit"},
      {"[environment]\nset = { A = \"{secret}\" }",
       "x.toml:4: \"A\": a value may hold {home} and {state}, and no other \"{\""},
      {"[arguments.placement]\nposition = \"last\"", "x.toml:4: \"position\" cannot be \"last\"; one of: first"},
      {"[login]\nvariables = [\"A\"]", "x.toml:4: \"variables\": \"A\" never gets inside: name it under [environment] pass too"},
      {"[preflight]\ntimeout = 0", "x.toml:4: \"timeout\" must be a number of seconds from 1 to 300"},
      {"[preflight]\ntimeout = \"5s\"", "x.toml:4: \"timeout\" must be a number of seconds from 1 to 300"},
      {"[[arguments.variant]]\nfeature = \"skip\"\nwords = [\"-x\"]",
       "x.toml:4: \"feature\" cannot be \"skip\"; one of: skip_permissions, inner_sandbox_off, confined"},
      {"[[arguments.variant]]\nfeature = \"confined\"", "x.toml:3: [[arguments.variant]] needs \"words\""},
      {"[environment]\nskip_permissions = { \"A B\" = \"\" }",
       "x.toml:4: \"skip_permissions\": \"A B\" is not a variable's name: letters, digits and _, not beginning with a digit"},
      {"[[help]]\nflags = []", "x.toml:3: [[help]] needs \"command\", such as [\"--help\"]"},
  };
  for (const Wrong& one : cases) EXPECT_EQ(failure(one.toml), one.message) << one.toml;
}

TEST(ReadManifest, StatePathsStayWhereTheySay) {
  const Wrong cases[] = {
      {"path = \"x\"", "x.toml:3: [[state]] needs a \"path\" that begins with ~/ or /"},
      {"path = \"~/../x\"", "x.toml:3: [[state]] needs a \"path\" that begins with ~/ or /"},
      {"path = \"~/\"", "x.toml:3: [[state]] needs a \"path\" that begins with ~/ or /"},
      {"path = \"~/.x\"\noverride = \"A-B\"", "x.toml:5: \"override\" must be the name of a variable"},
      {"path = \"~/.x\"\nexport = \"always\"", "x.toml:5: \"export\" needs \"override\", the variable that it is about"},
      {"path = \"~/.x\"\nsecrets = [\"/etc/passwd\"]",
       "x.toml:5: \"secrets\": \"/etc/passwd\" must be a name inside the directory"},
      {"path = \"~/.x\"\ncode = [{ path = \"../y\", kind = \"file\" }]",
       "x.toml:5: \"code\" needs a \"path\": a name inside the directory"},
      {"path = \"~/.x\"\ncode = [{ path = \"y\" }]", "x.toml:5: \"code\" needs a \"kind\": file or directory"},
      {"path = \"~/.x\"\ncode = [{ path = \"*.y\", kind = \"file\", absent = \"hold\" }]",
       "x.toml:5: \"*.y\": a pattern cannot be held; write absent = \"check\""},
      {"path = \"~/.x\"\ncode = [{ path = \"y\", kind = \"file\", inside = \"private\" }]",
       "x.toml:5: inside = \"private\" is for a directory"},
      {"path = \"~/.x\"\n[[seed]]\npath = \"{state}/../y\"",
       "x.toml:6: [[seed]] needs a \"path\" below the first state directory, as {state}/NAME"},
  };
  for (const Wrong& one : cases) EXPECT_EQ(failure("[[state]]\n" + std::string(one.toml)), one.message) << one.toml;
}

TEST(ReadManifest, TheFormIsSaidAndKnown) {
  const auto message = [](std::string_view toml) { return read_manifest(toml, "x").failure().message; };
  EXPECT_EQ(message(""), "x:1: \"schema\" is missing; write: schema = 1\nx:1: \"id\" is missing");
  EXPECT_EQ(message("schema = 2\nid = \"x\""), "x:1: \"schema\" must be 1: this version knows no other form of this file");
  EXPECT_EQ(message("schema = 1\nid = \"../x\""), "x:2: \"id\" must be of a-z, 0-9, - and _");
}

}  // namespace
}  // namespace paddock
