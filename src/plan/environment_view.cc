#include "plan/environment_view.h"

#include <algorithm>
#include <cctype>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"

namespace paddock {
namespace {

constexpr std::string_view dropped[] = {
    "*_SOCK", "*_SOCKET", "*_SOCKET_*", "DBUS_*", "XAUTHORITY", "DISPLAY", "WAYLAND_DISPLAY", "LD_*", "BASH_ENV", "ENV", "GIT_*", "*TOKEN*", "*SECRET*",
    "*PASSWORD*", "*PASSWD*", "*PASSPHRASE*", "*CREDENTIAL*", "*KEY", "*_KEY_*", "*KEY_ID", "*APIKEY*", "*_PAT", "*AUTH*", "BUNDLE_*__*", "*COOKIE*",
    "DATABASE_URL", "*_DSN", "PGPASS*", "PROMPT_COMMAND", "PS4", "PYTHONSTARTUP", "PERL5OPT", "RUBYOPT", "NODE_OPTIONS", "JAVA_TOOL_OPTIONS",
    "SUDO_*", "SSH_*", "TMUX*", "XDG_RUNTIME_DIR", "XDG_SESSION*", "NIX_CONFIG", "BASH_FUNC_*", "SHELLOPTS", "BASHOPTS", "IFS",
};

// With base = "host": what programs are configured with, by name and by their tools' prefixes.
constexpr std::string_view host_names[] = {
    "EDITOR", "VISUAL", "PAGER", "LESS", "LS_COLORS", "GREP_COLORS", "CC", "CXX", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "MAKEFLAGS",
    "PKG_CONFIG_PATH", "CMAKE_*", "NINJA_*", "CCACHE_*", "GOPATH", "GOROOT", "GOPROXY", "GOFLAGS", "GOPRIVATE", "GONOSUMDB", "GOBIN", "GOMODCACHE",
    "GOCACHE", "CARGO_*", "RUSTUP_*", "RUSTFLAGS", "RUST_*", "NODE_ENV", "NODE_PATH", "NODE_EXTRA_CA_CERTS", "npm_config_*", "NPM_CONFIG_*", "NVM_*",
    "PNPM_*", "YARN_*", "BUN_*", "DENO_*", "VOLTA_*", "PYENV_*", "VIRTUAL_ENV", "PYTHONPATH", "PIP_*", "UV_*", "POETRY_*", "CONDA_*", "RBENV_*",
    "GEM_*", "BUNDLE_*", "JAVA_HOME", "MAVEN_OPTS", "GRADLE_*", "ANDROID_HOME", "DOTNET_*", "MISE_*", "ASDF_*", "NIX_*", "SSL_CERT_FILE", "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "all_proxy",
    "CI", "DEBUG", "FORCE_COLOR", "NO_COLOR", "CLICOLOR*", "COLUMNS_*", "HOSTNAME",
};

constexpr std::string_view harmless[] = {"TERM", "COLORTERM", "LANG", "LANGUAGE", "LC_*", "TZ", "NO_COLOR", "FORCE_COLOR", "TERM_PROGRAM", "TERM_PROGRAM_VERSION"};

// In the value of one that passes by its name: "access-tokens = …", "-Dpassword=…", tokens by how they begin.
constexpr std::string_view secret_words[] = {"token", "passw", "secret", "bearer", "credential", "apikey", "api_key", "api-key", "ghp_", "gho_", "github_pat_", "glpat-", "xoxb-", "akia", "pypi-ag"};

bool any_matches(std::span<const std::string_view> patterns, std::string_view name) {
  return std::ranges::any_of(patterns, [&](std::string_view pattern) { return name_matches(pattern, name); });
}

std::string in_case(std::string_view text, int (*convert)(int)) {
  std::string converted(text);
  std::ranges::transform(converted, converted.begin(), [&](unsigned char c) { return static_cast<char>(convert(c)); });
  return converted;
}

// "https://user:password@host", "user:password@proxy": a name and what follows a colon, up to the "@".
bool holds_login(std::string_view value) {
  for (auto at = value.find('@'); at != std::string_view::npos; at = value.find('@', at + 1)) {
    const std::string_view before = value.substr(0, at);
    const auto begin = before.find_last_of("/ \t\n,;|\"'=");
    if (before.find(':', begin == std::string_view::npos ? 0 : begin + 1) != std::string_view::npos) return true;
  }
  return false;
}

// A setting that passes by its name may still carry a secret in its value.
bool holds_secret(std::string_view value) {
  if (holds_login(value)) return true;
  const std::string lower = in_case(value, ::tolower);
  return std::ranges::any_of(secret_words, [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

class Environment {
 public:
  Environment(const EnvironmentInput& input, const MountTable& table, const HostView& host) : input_(input), table_(table), host_(host) {}

  std::vector<Variable> build() {
    add_base();
    add_harness();
    add_git();
    add_named();
    std::vector<Variable> all;
    for (auto& [name, variable] : variables_) all.push_back(std::move(variable));
    return all;
  }

 private:
  void literal(const std::string& name, std::string value, const Origin& origin) {
    variables_[name] = {name, ValueSource::literal, std::move(value), origin};
  }
  void from_host(const std::string& name, const Origin& origin) {
    if (input_.host->contains(name)) variables_[name] = {name, ValueSource::host, {}, origin};
  }

  std::string search_path() const {
    const auto given = input_.host->find("PATH");
    std::vector<std::string> kept;
    const auto keep = [&](const std::string& entry) {
      const std::string place = path::normal(entry);
      const std::string real = host_.real_path(place).value_or(place);
      const bool is_there = table_.is_visible(real) && host_.look(real).kind == FileKind::directory;
      if (is_there && std::ranges::find(kept, entry) == kept.end()) kept.push_back(entry);
    };
    for (const std::string& entry : split(given == input_.host->end() ? "/usr/local/bin:/usr/bin:/bin" : given->second, ':')) {
      if (!path::is_absolute(entry)) continue;
      for (const ShimDirectory& shim : input_.shims) {
        if (path::normal(entry) == shim.shims) keep(shim.programs);
      }
      keep(entry);
    }
    return kept.empty() ? "/usr/local/bin:/usr/bin:/bin" : join(kept, ":");
  }

  void add_base() {
    const Origin built_in{OriginKind::built_in, "built in"};
    if (input_.base == EnvironmentBase::host) {
      for (const auto& [name, value] : *input_.host) {
        if (any_matches(host_names, name) && !is_dropped_unless_named(name) && !holds_secret(value)) from_host(name, input_.base_origin);
      }
    }
    for (const auto& [name, value] : *input_.host) {
      if (any_matches(harmless, name)) literal(name, value, built_in);
    }
    const bool shell_is_there = table_.is_visible(host_.real_path(input_.user.shell).value_or(input_.user.shell));
    literal("PATH", search_path(), built_in);
    literal("HOME", input_.user.home, built_in);
    literal("USER", input_.user.name, built_in);
    literal("LOGNAME", input_.user.name, built_in);
    literal("SHELL", shell_is_there ? input_.user.shell : "/bin/sh", built_in);
    literal("XDG_RUNTIME_DIR", fmt::format("/run/user/{}", input_.user.uid), built_in);
    literal("TMPDIR", input_.temporary, built_in);
    literal("IS_SANDBOX", "1", built_in);
    literal("PADDOCK_SESSION", "run", built_in);
  }

  std::string filled(std::string text) const {
    const std::pair<std::string_view, std::string_view> places[] = {{"{home}", input_.user.home}, {"{state}", input_.state}};
    for (const auto& [name, value] : places) {
      for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + value.size())) text.replace(at, name.size(), value);
    }
    return text;
  }

  void add_harness() {
    const Origin origin{OriginKind::harness, "harness " + input_.harness->id};
    for (const auto& [name, value] : input_.harness->environment_set) literal(name, filled(value), origin);
    if (input_.permissions == Permissions::skip) {
      for (const auto& [name, value] : input_.harness->environment_skip) literal(name, filled(value), origin);
    }
    for (const auto& [name, value] : input_.exported) literal(name, value, origin);
    if (input_.credentials == CredentialMode::none) return;
    for (const std::string& pattern : input_.harness->environment_pass) {
      for (const auto& [name, value] : *input_.host) {
        if (name_matches(pattern, name)) from_host(name, origin);
      }
    }
  }

  void add_git() {
    const Origin origin{OriginKind::built_in, "built in: git"};
    if (input_.git_overrides.empty()) return;
    literal("GIT_CONFIG_COUNT", std::to_string(input_.git_overrides.size()), origin);
    for (std::size_t i = 0; i < input_.git_overrides.size(); ++i) {
      literal(fmt::format("GIT_CONFIG_KEY_{}", i), input_.git_overrides[i].first, origin);
      literal(fmt::format("GIT_CONFIG_VALUE_{}", i), input_.git_overrides[i].second, origin);
    }
  }

  void add_named() {
    for (const VariableRule& rule : input_.rules) {
      if (rule.value) variables_[rule.name] = {rule.name, ValueSource::given, {}, rule.origin};
      else from_host(rule.name, rule.origin);
    }
  }

  const EnvironmentInput& input_;
  const MountTable& table_;
  const HostView& host_;
  std::map<std::string, Variable> variables_;
};

}  // namespace

bool is_dropped_unless_named(std::string_view name) {
  return any_matches(dropped, in_case(name, ::toupper));
}

std::vector<Variable> environment_of(const EnvironmentInput& input, const MountTable& table, const HostView& host) {
  return Environment(input, table, host).build();
}

}  // namespace paddock
