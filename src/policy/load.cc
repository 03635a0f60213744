#include "policy/load.h"

#include <algorithm>

#include "base/text.h"
#include "policy/load_sections.h"
#include "policy/toml_reader.h"
#include "policy/value.h"

namespace paddock {

Origin PolicyReading::origin(unsigned line) const {
  std::string where = source.name.empty() ? source.where : source.name;
  if (source.line == LineInOrigin::shown) where += ":" + std::to_string(line);
  return {source.kind, std::move(where)};
}

namespace {

bool is_settings(OriginKind kind) { return kind == OriginKind::user_config || kind == OriginKind::project_config; }
bool may_name_backends(OriginKind kind) { return is_settings(kind) || kind == OriginKind::ceiling; }
bool may_name_profile(OriginKind kind) { return is_settings(kind) || kind == OriginKind::repository_config; }

void refuse(TomlTable& table, std::string_view key, std::string_view why) {
  table.problem(table.line_of(key), "\"" + std::string(key) + "\" " + std::string(why));
}

void read_top(TomlTable& top, const PolicyReading& reading, PolicyFile& file) {
  const bool profile = reading.source.kind == OriginKind::profile;
  if (const auto said = top.text("description")) {
    if (!profile) refuse(top, "description", "is for profiles");
    file.description = said->text;
  }
  if (const auto said = top.text("extends")) {
    if (!profile) refuse(top, "extends", "is for profiles; a config file names one with: profile = \"NAME\"");
    if (said->text.empty()) refuse(top, "extends", "names no profile");
    file.extends.state(said->text, reading.origin(said->line));
  }
  if (const auto said = top.text("profile")) {
    if (!may_name_profile(reading.source.kind)) {
      refuse(top, "profile", profile ? "is for config files; a profile builds on another with: extends = \"NAME\"" : "is for config files");
    }
    if (said->text.empty()) refuse(top, "profile", "names no profile");
    file.profile.state(said->text, reading.origin(said->line));
  }
}

void read_sandbox(TomlTable& top, const PolicyReading& reading, PolicyFile& file) {
  TomlTable table(top.table("sandbox"), "sandbox", reading.report);
  const auto enabled = table.boolean("enabled");
  if (!enabled) return;
  if (reading.source.kind == OriginKind::ceiling) {
    refuse(top, "sandbox", "is not for the ceiling, which says: [ceiling] forbid = [\"no_sandbox\"]");
  } else if (!may_name_profile(reading.source.kind)) {
    refuse(top, "sandbox", "is for the user's own config file: only you say whether to run without one");
  }
  file.sandbox_enabled.state(*enabled, reading.origin(table.line_of("enabled")));
}

void read_order(TomlTable& table, const PolicyReading& reading, BackendSettings& backends) {
  const std::vector<std::string> known = {"bubblewrap", "native", "landlock", "docker", "podman"};
  std::vector<std::string> order;
  const std::vector<TomlText> names = table.texts("order");
  for (const TomlText& said : names) {
    if (std::find(known.begin(), known.end(), said.text) == known.end()) {
      table.not_one_of("order", said, known);
    } else if (std::find(order.begin(), order.end(), said.text) != order.end()) {
      table.problem(said.line, "\"order\" names \"" + said.text + "\" twice");
    } else {
      order.push_back(said.text);
    }
  }
  if (!table.has("order")) return;
  if (names.empty()) table.problem(table.line_of("order"), "\"order\" names no backend");
  backends.order.state(std::move(order), reading.origin(table.line_of("order")));
}

void read_bubblewrap(TomlTable& backends, const PolicyReading& reading, BackendSettings& settings) {
  TomlTable table(backends.table("bubblewrap"), "backends.bubblewrap", reading.report);
  if (const auto said = table.text("program")) {
    const bool is_place = said->text.starts_with("/") || said->text.starts_with("~/");
    if (!is_place && said->text.find('/') != std::string::npos) {
      table.problem(said->line, "\"program\" must be a full path, such as /usr/bin/bwrap, or the name of a command on PATH");
    }
    settings.bubblewrap_program.state(said->text, reading.origin(said->line));
  }
  const TomlValue* seconds = table.take("probe_timeout");
  if (seconds == nullptr) return;
  const bool good = seconds->kind == TomlKind::integer && seconds->integer >= std::int64_t{probe_seconds_min} &&
                    seconds->integer <= std::int64_t{probe_seconds_max};
  if (!good) return table.problem(seconds->line, "\"probe_timeout\" must be a whole number of seconds from 1 to 30");
  settings.bubblewrap_probe_seconds.state(static_cast<std::uint64_t>(seconds->integer), reading.origin(seconds->line));
}

void read_backends(TomlTable& top, const PolicyReading& reading, PolicyFile& file) {
  TomlTable table(top.table("backends"), "backends", reading.report);
  read_order(table, reading, file.backends);
  read_bubblewrap(table, reading, file.backends);
  if (top.has("backends") && !may_name_backends(reading.source.kind)) refuse(top, "backends", "is for config files");
}

void read_ceiling_part(TomlTable& top, const PolicyReading& reading, PolicyFile& file) {
  if (reading.source.kind != OriginKind::ceiling) {
    if (top.has("ceiling")) {
      top.take("ceiling");
      refuse(top, "ceiling", "is for the machine's ceiling, /etc/paddock/config.toml");
    }
    return;
  }
  TomlTable table(top.table("ceiling"), "ceiling", reading.report);
  for (TomlText& said : table.texts("forbid")) file.forbid.push_back({std::move(said.text), reading.origin(said.line)});
  std::vector<PathRule> workspaces;
  for (const TomlText& said : table.texts("workspaces")) {
    auto rule = path_rule_of(said.text, reading.source.base_directory, reading.origin(said.line));
    if (rule) workspaces.push_back(std::move(*rule));
    else table.problem(said.line, "\"workspaces\": " + rule.failure().message, rule.failure().hint);
  }
  if (table.has("workspaces")) file.workspaces.state(std::move(workspaces), reading.origin(table.line_of("workspaces")));
}

// An empty list says something too.
std::vector<StatedList> stated_lists(const TomlValue& document, const PolicyReading& reading) {
  std::vector<StatedList> lists;
  for (const TomlEntry& section : document.entries) {
    for (const TomlEntry& entry : section.value.entries) {
      if (entry.value.kind == TomlKind::list) lists.push_back({section.key + "." + entry.key, reading.origin(entry.line)});
    }
  }
  return lists;
}

// Sections of this format that this version refuses: never ignored, never taken for a typing error.
void read_later(TomlTable& top) {
  const TomlValue* workspace = top.take("workspace");
  if (workspace != nullptr && workspace->kind == TomlKind::text) {
    refuse(top, "workspace", "belongs in [filesystem]");
  } else {
    top.later("workspace");
  }
  top.later("ports");
  top.later("image");
}

}  // namespace

const Origin* PolicyFile::list_origin(std::string_view key) const {
  const auto found = std::ranges::find(lists, key, &StatedList::key);
  return found == lists.end() ? nullptr : &found->origin;
}

Result<PolicyFile> read_policy(const TomlInput& toml, const PolicySource& source) {
  const bool named = source.kind == OriginKind::profile || source.kind == OriginKind::flag;
  const ErrorCode code = named ? ErrorCode::usage : ErrorCode::cannot_start;
  const TomlValue document = TRY(parse_toml(toml, source.where, code));
  TomlReport report(source.where, code);
  const PolicyReading reading{source, report};
  PolicyFile file;
  {
    TomlTable top(&document, "", report);
    read_top(top, reading, file);
    read_policy_sections(top, reading, file.policy);
    read_sandbox(top, reading, file);
    read_backends(top, reading, file);
    read_ceiling_part(top, reading, file);
    read_later(top);
  }
  TRY(report.result());
  if (source.kind == OriginKind::ceiling) file.lists = stated_lists(document, reading);
  return file;
}

Result<PolicyFile> read_policy(const TomlInput& toml, std::string_view where, OriginKind kind,
                               std::string_view base_directory) {
  return read_policy(toml, PolicySource{std::string(where), kind, std::string(base_directory), {}, LineInOrigin::shown});
}

}  // namespace paddock
