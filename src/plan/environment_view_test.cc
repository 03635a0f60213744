#include "plan/environment_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "harness/catalogue.h"
#include "plan/literal_host.h"
#include "plan/scene_for_tests.h"

namespace paddock {
namespace {

using Words = std::vector<std::string>;
using Values = std::map<std::string, std::string>;

// The text of THREATS 24, spelled out: each with names that it is about.
const Words always_dropped = {"SSH_AUTH_SOCK", "GPG_AGENT_SOCK", "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "XAUTHORITY", "WAYLAND_DISPLAY",
                              "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "BASH_ENV", "ENV", "GIT_DIR", "GIT_SSH_COMMAND", "GIT_CONFIG_GLOBAL", "GIT_ASKPASS",
                              "GITHUB_TOKEN", "TOKEN", "MY_TOKEN_2", "npm_config__authToken", "CARGO_REGISTRY_TOKEN", "SECRET", "CLIENT_SECRET_ID", "AWS_SECRET_ACCESS_KEY",
                              "PASSWORD", "PGPASSWORD", "DB_PASSWORD_FILE", "UV_INDEX_A_PASSWORD", "OPENAI_API_KEY", "KEY", "SSHKEY", "PIP_SIGNING_KEY"};

// `host` outlives the input.
EnvironmentInput input_with(const Values& host, EnvironmentBase base) {
  static const Manifest generic = generic_harness();
  EnvironmentInput input;
  input.base = base;
  input.base_origin = {OriginKind::profile, "profile dev"};
  input.harness = &generic;
  input.user = {1000, 1000, "u", "/home/u", "/bin/sh", false};
  input.host = &host;
  return input;
}

std::vector<Variable> made(const EnvironmentInput& input) {
  const LiteralHost host;
  const MountTable table;
  return environment_of(input, table, host);
}

std::set<std::string> names(const std::vector<Variable>& variables) {
  std::set<std::string> all;
  for (const Variable& variable : variables) all.insert(variable.name);
  return all;
}

TEST(Environment, WhatIsAlwaysDroppedComesWithNoBase) {
  Values host;
  for (const std::string& name : always_dropped) host[name] = "value";
  const std::set<std::string> empty = names(made(input_with({}, EnvironmentBase::minimal)));
  for (const EnvironmentBase base : {EnvironmentBase::minimal, EnvironmentBase::host}) EXPECT_EQ(names(made(input_with(host, base))), empty);
  for (const std::string& name : always_dropped) EXPECT_TRUE(is_dropped_unless_named(name)) << name;
}

TEST(Environment, WhatIsAlwaysDroppedComesWhenItIsNamed) {
  Values host;
  EnvironmentInput input = input_with(host, EnvironmentBase::minimal);
  for (const std::string& name : always_dropped) {
    host[name] = "value";
    input.rules.push_back({name, std::nullopt, flag("--env")});
  }
  input.host = &host;
  const std::set<std::string> all = names(made(input));
  for (const std::string& name : always_dropped) EXPECT_TRUE(all.contains(name)) << name;
}

TEST(Environment, TheHostsIsAListOfNamesAndNotEverythingElse) {
  const Values host = {{"EDITOR", "vi"}, {"CARGO_HOME", "/c"}, {"npm_config_registry", "https://r.example/"}, {"RUST_LOG", "info"}, {"PYTHONPATH", "/p"},
                       {"HOST_ONLY", "x"}, {"COMPANY_URL", "x"}, {"PS1", "x"}, {"OLDPWD", "/x"}, {"MAIL", "x"}, {"XDG_CONFIG_HOME", "/x"}};
  const std::set<std::string> all = names(made(input_with(host, EnvironmentBase::host)));
  for (const char* name : {"EDITOR", "CARGO_HOME", "npm_config_registry", "RUST_LOG", "PYTHONPATH"}) EXPECT_TRUE(all.contains(name)) << name;
  for (const char* name : {"HOST_ONLY", "COMPANY_URL", "PS1", "OLDPWD", "MAIL", "XDG_CONFIG_HOME"}) EXPECT_FALSE(all.contains(name)) << name;
}

TEST(Environment, ASecretInAValueKeepsAListedNameOut) {
  const Values secret = {{"http_proxy", "http://me:pass@proxy:3128"}, {"HTTPS_PROXY", "me:pass@proxy:3128"}, {"PIP_INDEX_URL", "https://me:x@index.example/simple"},
                         {"PIP_EXTRA_INDEX_URL", "https://a.example https://u:p@b.example"}, {"GOPROXY", "https://u:p@go.example,direct"},
                         {"MAVEN_OPTS", "-Dhttp.proxyPassword=x"}, {"NIX_PATH", "access-tokens = github.com=ghp_x"}, {"CCACHE_REMOTE_STORAGE", "http://h|bearer-token=x"}};
  const Values plain = {{"no_proxy", "a@b,localhost:80"}, {"GOFLAGS", "-mod=mod"}, {"PIP_TIMEOUT", "5"}, {"GOPRIVATE", "git@host.example"}, {"ALL_PROXY", "socks5://proxy:1080"}};
  Values host = secret;
  host.insert(plain.begin(), plain.end());
  const std::set<std::string> all = names(made(input_with(host, EnvironmentBase::host)));
  for (const auto& [name, value] : secret) EXPECT_FALSE(all.contains(name)) << name;
  for (const auto& [name, value] : plain) EXPECT_TRUE(all.contains(name)) << name;
}

TEST(Environment, WithoutCredentialsNoneOfTheHarnessesPasses) {
  const Manifest agent = agent_manifest();
  const Values host = {{"AGENT_API_KEY", "secret"}};
  EnvironmentInput input = input_with(host, EnvironmentBase::host);
  input.harness = &agent;
  for (const CredentialMode mode : {CredentialMode::none, CredentialMode::minimal, CredentialMode::login, CredentialMode::private_state, CredentialMode::shared}) {
    input.credentials = mode;
    EXPECT_EQ(names(made(input)).contains("AGENT_API_KEY"), mode != CredentialMode::none);
  }
}

// Names put together at random from what such names are made of, in both cases.
TEST(Environment, HoldsForRandomNames) {
  const Words pieces = {"TOKEN", "SECRET", "PASSWORD", "KEY", "SOCK", "GIT", "LD", "DBUS", "ENV", "BASH", "CARGO", "PIP", "npm_config", "GO", "UV", "NODE", "A", "X", "HOME",
                        "PATH", "LC", "DISPLAY", "1", "AUTH", "URL", "NAME"};
  std::mt19937 random(1);
  Values host;
  for (int i = 0; i < 4000; ++i) {
    std::string name = pieces[random() % pieces.size()];
    for (unsigned more = random() % 4; more > 0; --more) name += (random() % 3 == 0 ? "" : "_") + pieces[random() % pieces.size()];
    if (random() % 4 == 0) std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    host[name] = "canary-value";
  }
  const std::set<std::string> minimal = names(made(input_with(host, EnvironmentBase::minimal)));
  const std::set<std::string> bare = names(made(input_with({}, EnvironmentBase::minimal)));
  for (const std::string& name : minimal) EXPECT_TRUE(bare.contains(name) || name.starts_with("LC_")) << name;
  int passed = 0;
  for (const Variable& variable : made(input_with(host, EnvironmentBase::host))) {
    if (minimal.contains(variable.name)) continue;
    ++passed;
    EXPECT_EQ(variable.source, ValueSource::host) << variable.name;
    EXPECT_EQ(variable.value, "") << variable.name;
    EXPECT_FALSE(is_dropped_unless_named(variable.name)) << variable.name;
    std::string upper = variable.name;
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    for (const char* part : {"TOKEN", "SECRET", "PASSWORD", "_SOCK"}) EXPECT_FALSE(upper.find(part) != std::string::npos && (part[0] != '_' || upper.ends_with(part))) << variable.name;
    EXPECT_FALSE(upper.ends_with("KEY") || upper.starts_with("GIT_") || upper.starts_with("LD_") || upper.starts_with("DBUS_")) << variable.name;
  }
  EXPECT_GT(passed, 100) << "some names are of the list";
}

TEST(Environment, APlanHoldsNoValueOfTheHostsButHarmlessOnes) {
  Values host = {{"PATH", "/usr/bin"}, {"TERM", "xterm"}, {"LANG", "C.UTF-8"}, {"EDITOR", "canary"}, {"CARGO_HOME", "canary"}, {"NAMED", "canary"}};
  EnvironmentInput input = input_with(host, EnvironmentBase::host);
  input.rules = {{"NAMED", std::nullopt, flag("--env")}, {"GIVEN", "canary", flag("--env")}};
  for (const Variable& variable : made(input)) EXPECT_EQ(variable.value.find("canary"), std::string::npos) << variable.name;
}

}  // namespace
}  // namespace paddock
