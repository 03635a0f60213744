#include "host/hostile_git_config.h"

#include <cstdlib>

#include "host/git_allowlist.h"
#include "host/git_config.h"

namespace paddock {
namespace {

void must(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

void read_hostile_git_config(std::string_view text) {
  const GitConfig config = parse_git_config(text);
  must(config.entries.size() <= git_config_entries_max);
  for (const GitConfigEntry& entry : config.entries) {
    must(!entry.name.empty() && entry.name.find('.') == std::string::npos);
    must(entry.section.find('.') == std::string::npos);
    must(!entry.value || entry.value->find('\0') == std::string::npos);
    git_boolean(entry.value);
    const auto exported = exported_value(entry);
    if (!exported) continue;
    must(exported->size() <= git_value_bytes_max);
    must(entry.section != "credential" && entry.section != "http" && entry.section != "url" && entry.section != "include");
    must(entry.section != "alias" || !exported->starts_with('!'));
  }
}

}  // namespace paddock
