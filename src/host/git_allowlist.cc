#include "host/git_allowlist.h"

#include <algorithm>

namespace paddock {
namespace {

enum class Accept {
  text,           // any text
  boolean,        // a boolean only
  pull_rebase,    // a boolean or "merges": not "interactive", which opens an editor
  autocorrect,    // anything but "prompt", which would wait for an answer
  alias,          // a git command line, not a shell's
};

struct Rule {
  std::string_view section;
  std::string_view name;  // "*": every name, in every subsection too
  Accept accept;
};

constexpr Rule rules[] = {
    {"user", "name", Accept::text},
    {"user", "email", Accept::text},
    {"user", "useconfigonly", Accept::boolean},
    {"author", "name", Accept::text},
    {"author", "email", Accept::text},
    {"committer", "name", Accept::text},
    {"committer", "email", Accept::text},
    {"init", "defaultbranch", Accept::text},
    {"core", "abbrev", Accept::text},
    {"core", "autocrlf", Accept::text},
    {"core", "eol", Accept::text},
    {"core", "quotepath", Accept::boolean},
    {"core", "safecrlf", Accept::text},
    {"color", "*", Accept::text},
    {"column", "*", Accept::text},
    {"advice", "*", Accept::boolean},
    {"pretty", "*", Accept::text},
    {"alias", "*", Accept::alias},
    {"pull", "rebase", Accept::pull_rebase},
    {"pull", "ff", Accept::text},
    {"push", "default", Accept::text},
    {"push", "autosetupremote", Accept::boolean},
    {"push", "followtags", Accept::boolean},
    {"rebase", "autostash", Accept::boolean},
    {"rebase", "autosquash", Accept::boolean},
    {"rebase", "updaterefs", Accept::boolean},
    {"merge", "conflictstyle", Accept::text},
    {"merge", "ff", Accept::text},
    {"diff", "algorithm", Accept::text},
    {"diff", "renames", Accept::text},
    {"diff", "colormoved", Accept::text},
    {"diff", "mnemonicprefix", Accept::boolean},
    {"diff", "noprefix", Accept::boolean},
    {"branch", "sort", Accept::text},
    {"tag", "sort", Accept::text},
    {"log", "date", Accept::text},
    {"log", "decorate", Accept::text},
    {"log", "abbrevcommit", Accept::boolean},
    {"status", "short", Accept::boolean},
    {"status", "branch", Accept::boolean},
    {"help", "autocorrect", Accept::autocorrect},
    {"rerere", "enabled", Accept::boolean},
    {"rerere", "autoupdate", Accept::boolean},
    {"fetch", "prune", Accept::boolean},
    {"commit", "verbose", Accept::text},
    {"commit", "cleanup", Accept::text},
    {"format", "pretty", Accept::text},
};

const Rule* find_rule(const GitConfigEntry& entry) {
  for (const Rule& rule : rules) {
    if (rule.section != entry.section) continue;
    if (rule.name == "*" || (!entry.has_subsection && rule.name == entry.name)) return &rule;
  }
  return nullptr;
}

// "https://user:token@host/": whatever the key, a login never goes inside.
bool holds_login(std::string_view value) {
  const auto scheme = value.find("://");
  return scheme != std::string_view::npos && value.find('@', scheme) != std::string_view::npos;
}

bool is_plain_alias(std::string_view value) {
  const auto first = value.find_first_not_of(" \t\n");
  if (first == std::string_view::npos || value[first] == '!') return false;
  // Settings given by the way may hold a header with a token, or a program.
  for (const std::string_view part : {"-c ", "-c\t", "-c\n", "--config-env", "--exec-path", "--upload-pack", "--receive-pack", "://"}) {
    if (value.find(part) != std::string_view::npos) return false;
  }
  return true;
}

bool accepts(Accept accept, const std::string& value) {
  switch (accept) {
    case Accept::text: return true;
    case Accept::boolean: return git_boolean(value).has_value();
    case Accept::pull_rebase: return git_boolean(value).has_value() || value == "merges" || value == "m";
    case Accept::autocorrect: return value != "prompt";
    case Accept::alias: return is_plain_alias(value);
  }
  return false;
}

}  // namespace

std::optional<std::string> exported_value(const GitConfigEntry& entry) {
  const Rule* rule = find_rule(entry);
  if (rule == nullptr || entry.subsection.find('\n') != std::string::npos) return {};
  const std::string value = entry.value.value_or("true");
  if (value.size() > git_value_bytes_max || holds_login(value) || !accepts(rule->accept, value)) return {};
  return value;
}

}  // namespace paddock
