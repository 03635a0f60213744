#include "policy/load_sections.h"

#include <algorithm>

#include "policy/value.h"

namespace paddock {

namespace {

template <typename T>
void read_word(TomlTable& table, std::string_view key, const PolicyReading& reading, Sourced<T>& into) {
  if (const auto value = table.word<T>(key)) into.state(*value, reading.origin(table.line_of(key)));
}

template <typename T>
bool good(TomlTable& table, std::string_view key, unsigned line, const Result<T>& value) {
  if (value.ok()) return true;
  table.problem(line, "\"" + std::string(key) + "\": " + value.failure().message, value.failure().hint);
  return false;
}

void read_paths(TomlTable& table, std::string_view key, const PolicyReading& reading, std::vector<PathRule>& into) {
  for (const TomlText& said : table.texts(key)) {
    auto rule = path_rule_of(said.text, reading.source.base_directory, reading.origin(said.line));
    if (good(table, key, said.line, rule)) into.push_back(std::move(rule).value());
  }
}

void read_patterns(TomlTable& table, std::string_view key, const PolicyReading& reading, Negation negation,
                   std::vector<PatternRule>& into) {
  for (const TomlText& said : table.texts(key)) {
    auto rule = pattern_rule_of(said.text, "", reading.origin(said.line), negation);
    if (good(table, key, said.line, rule)) into.push_back(std::move(rule).value());
  }
}

void read_filesystem(TomlTable& top, const PolicyReading& reading, FilesystemPolicy& policy) {
  TomlTable table(top.table("filesystem"), "filesystem", reading.report);
  read_word(table, "world", reading, policy.world);
  read_word(table, "workspace", reading, policy.workspace);
  read_word(table, "temp", reading, policy.temp);
  read_word(table, "toolchains", reading, policy.toolchains);
  read_word(table, "dotfiles", reading, policy.dotfiles);
  read_word(table, "caches", reading, policy.caches);
  read_paths(table, "read", reading, policy.read);
  read_paths(table, "write", reading, policy.write);
  read_patterns(table, "mask", reading, Negation::refused, policy.mask);
  read_patterns(table, "protect", reading, Negation::allowed, policy.protect);
}

void add_variable(TomlTable& table, std::string_view key, VariableRule rule, unsigned line, Policy& policy) {
  if (!good(table, key, line, variable_name_of(rule.name))) return;
  const auto same = [&](const VariableRule& other) { return other.name == rule.name; };
  if (std::any_of(policy.variables.begin(), policy.variables.end(), same)) {
    return table.problem(line, "\"" + rule.name + "\" is named twice in [environment]; pass it or set it, once");
  }
  policy.variables.push_back(std::move(rule));
}

void read_environment(TomlTable& top, const PolicyReading& reading, Policy& policy) {
  TomlTable table(top.table("environment"), "environment", reading.report);
  read_word(table, "base", reading, policy.environment_base);
  for (const TomlText& said : table.texts("pass")) {
    add_variable(table, "pass", {said.text, std::nullopt, reading.origin(said.line)}, said.line, policy);
  }
  for (auto& [name, value] : table.named_texts("set")) {
    add_variable(table, "set", {name.text, std::move(value), reading.origin(name.line)}, name.line, policy);
  }
}

// A limit as text: numbers are written back as people would write them.
std::optional<TomlText> limit_text(TomlTable& table, std::string_view key) {
  const TomlValue* value = table.take(key);
  if (value == nullptr) return std::nullopt;
  if (value->kind == TomlKind::text) return TomlText{value->text, value->line};
  if (value->kind == TomlKind::integer) return TomlText{std::to_string(value->integer), value->line};
  if (value->kind == TomlKind::real && key == "cpus") return TomlText{std::to_string(value->real), value->line};
  table.problem(value->line, "\"" + std::string(key) + "\" must be a whole number or a string, not " +
                                 std::string(name_of(value->kind)));
  return std::nullopt;
}

using LimitParser = Result<std::uint64_t> (*)(std::string_view);

void read_limit(TomlTable& table, std::string_view key, LimitParser parse, const PolicyReading& reading,
                Sourced<std::uint64_t>& into) {
  const auto said = limit_text(table, key);
  if (!said) return;
  const auto value = parse(said->text);
  if (good(table, key, said->line, value)) into.state(*value, reading.origin(said->line));
}

void read_limits(TomlTable& top, const PolicyReading& reading, LimitPolicy& policy) {
  TomlTable table(top.table("limits"), "limits", reading.report);
  read_limit(table, "memory", memory_bytes_of, reading, policy.memory_bytes);
  read_limit(table, "cpus", cpu_milli_of, reading, policy.cpu_milli);
  read_limit(table, "pids", processes_of, reading, policy.processes);
  read_limit(table, "wall_time", wall_time_ms_of, reading, policy.wall_time_ms);
}

void read_credentials(TomlTable& top, const PolicyReading& reading, Policy& policy) {
  TomlTable table(top.table("credentials"), "credentials", reading.report);
  read_word(table, "mode", reading, policy.credentials);
  if (const auto agent = table.boolean("ssh_agent")) {
    policy.ssh_agent.state(*agent, reading.origin(table.line_of("ssh_agent")));
  }
}

template <typename T>
void read_one_word(TomlTable& top, std::string_view section, std::string_view key, const PolicyReading& reading,
                   Sourced<T>& into) {
  TomlTable table(top.table(section), std::string(section), reading.report);
  read_word(table, key, reading, into);
}

void read_isolation(TomlTable& top, const PolicyReading& reading, Policy& policy) {
  TomlTable table(top.table("isolation"), "isolation", reading.report);
  for (TomlText& said : table.texts("without")) {
    policy.without.push_back({std::move(said.text), reading.origin(said.line)});
  }
  for (TomlText& said : table.texts("require")) {
    policy.required.push_back({std::move(said.text), reading.origin(said.line)});
  }
}

}  // namespace

void read_policy_sections(TomlTable& top, const PolicyReading& reading, Policy& policy) {
  read_filesystem(top, reading, policy.filesystem);
  read_one_word(top, "network", "mode", reading, policy.network);
  read_environment(top, reading, policy);
  read_limits(top, reading, policy.limits);
  read_credentials(top, reading, policy);
  read_one_word(top, "process", "nested", reading, policy.nested);
  read_one_word(top, "git", "mode", reading, policy.git);
  read_one_word(top, "permissions", "mode", reading, policy.permissions);
  read_isolation(top, reading, policy);
}

}  // namespace paddock
