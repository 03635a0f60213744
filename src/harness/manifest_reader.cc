#include <algorithm>
#include <iterator>
#include <span>

#include "harness/catalogue.h"
#include "harness/manifest.h"
#include "harness/state_reader.h"
#include "policy/toml_reader.h"
#include "policy/value.h"

namespace paddock {

namespace {

constexpr std::string_view addition_names[] = {"skip_permissions", "inner_sandbox_off", "confined"};
constexpr std::string_view argument_names[] = {"continue", "resume", "oneshot", "oneshot_continue", "set_id"};

using Words = std::vector<std::string>;

Words words(TomlTable& table, std::string_view key) {
  Words all;
  for (TomlText& said : table.texts(key)) all.push_back(std::move(said.text));
  return all;
}

void read_schema(TomlTable& top) {
  const TomlValue* schema = top.take("schema");
  if (schema == nullptr) return top.problem(1, "\"schema\" is missing; write: schema = 1");
  if (schema->kind != TomlKind::integer || schema->integer != 1) {
    top.problem(schema->line, "\"schema\" must be 1: this version knows no other form of this file");
  }
}

void read_identity(TomlTable& top, Manifest& manifest) {
  const auto id = top.text("id");
  if (!top.has("id")) top.problem(1, "\"id\" is missing");
  if (id && !is_harness_id(id->text)) top.problem(id->line, "\"id\" must be of a-z, 0-9, - and _");
  if (id) manifest.id = manifest.display = id->text;
  if (const auto said = top.text("display")) manifest.display = said->text;
  if (const auto said = top.text("homepage")) manifest.homepage = said->text;
  for (TomlText& version : top.texts("tested")) manifest.tested.push_back(std::move(version.text));
  manifest.hosted_model = top.boolean("hosted_model").value_or(false);
  for (TomlText& bin : top.texts("bins")) {
    if (bin.text.empty() || bin.text.find('/') != std::string::npos) {
      top.problem(bin.line, "\"bins\": \"" + bin.text + "\" must be the name of a program, looked up on PATH");
    }
    manifest.bins.push_back(std::move(bin.text));
  }
}

// The placement is one for the file; each addition carries it.
Addition read_placement(TomlTable& arguments, TomlReport& report) {
  TomlTable table(arguments.table("placement"), "arguments.placement", report);
  if (const auto position = table.text("position"); position && position->text != "first") {
    table.not_one_of("position", *position, {"first"});
  }
  Addition placed;
  placed.after_subcommands = words(table, "after");
  placed.only_subcommands = words(table, "only");
  placed.never_subcommands = words(table, "never");
  placed.options_with_value = words(table, "options_with_value");
  return placed;
}

// A feature that wants other words with other sub-commands: an addition beside the plain ones.
void read_variant(const TomlValue& value, const Addition& placed, std::span<std::vector<Addition>* const> lists, TomlReport& report) {
  TomlTable table(&value, "arguments.variant", report);
  Addition addition;
  addition.words = words(table, "words");
  addition.suppressed_by = words(table, "suppress");
  addition.after_subcommands = words(table, "after");
  addition.only_subcommands = words(table, "only");
  addition.never_subcommands = words(table, "never");
  addition.options_with_value = placed.options_with_value;
  if (addition.words.empty()) table.problem(value.line, "[[arguments.variant]] needs \"words\"");
  const auto feature = table.text("feature");
  if (!feature) return table.problem(value.line, "[[arguments.variant]] needs a \"feature\": skip_permissions, inner_sandbox_off or confined");
  const auto known = std::ranges::find(addition_names, feature->text);
  if (known == std::end(addition_names)) return table.not_one_of("feature", *feature, {"skip_permissions", "inner_sandbox_off", "confined"});
  lists[static_cast<std::size_t>(known - std::begin(addition_names))]->push_back(std::move(addition));
}

void read_arguments(TomlTable& top, TomlReport& report, Manifest& manifest) {
  TomlTable table(top.table("arguments"), "arguments", report);
  TomlTable suppress(table.table("suppress"), "arguments.suppress", report);
  const Addition placed = read_placement(table, report);
  std::vector<Addition>* const lists[] = {&manifest.skip_permissions, &manifest.inner_sandbox_off, &manifest.confined};
  for (std::size_t i = 0; i < std::size(addition_names); ++i) {
    Addition addition = placed;
    addition.words = words(table, addition_names[i]);
    addition.suppressed_by = words(suppress, addition_names[i]);
    if (!addition.words.empty()) lists[i]->push_back(std::move(addition));
  }
  for (const TomlValue* one : table.tables("variant")) read_variant(*one, placed, lists, report);
  for (const std::string_view name : argument_names) {
    Words said = words(table, name);
    if (!said.empty()) manifest.arguments.emplace(name, std::move(said));
  }
}

void read_help(TomlTable& top, TomlReport& report, Manifest& manifest) {
  for (const TomlValue* one : top.tables("help")) {
    TomlTable table(one, "help", report);
    HelpCheck check{words(table, "command"), words(table, "flags")};
    if (check.command.empty()) table.problem(one->line, "[[help]] needs \"command\", such as [\"--help\"]");
    manifest.help.push_back(std::move(check));
  }
}

void read_preflight(TomlTable& top, TomlReport& report, Manifest& manifest) {
  TomlTable table(top.table("preflight"), "preflight", report);
  if (table.has("arguments")) manifest.preflight.arguments = words(table, "arguments");
  const TomlValue* timeout = table.take("timeout");
  if (timeout == nullptr) return;
  constexpr std::int64_t timeout_s_max = 300;
  if (timeout->kind != TomlKind::integer || timeout->integer < 1 || timeout->integer > timeout_s_max) {
    return table.problem(timeout->line, "\"timeout\" must be a number of seconds from 1 to 300");
  }
  manifest.preflight.timeout_s = static_cast<unsigned>(timeout->integer);
}

void check_variable(TomlTable& table, std::string_view key, const TomlText& name) {
  const auto checked = variable_name_of(name.text);
  if (!checked.ok()) table.problem(name.line, "\"" + std::string(key) + "\": " + checked.failure().message);
}

// Values may use {home} and {state} and no other placeholder.
void check_value(TomlTable& table, const TomlText& name, std::string_view value) {
  for (auto at = value.find('{'); at != std::string_view::npos; at = value.find('{', at + 1)) {
    const std::string_view rest = value.substr(at);
    if (rest.starts_with("{home}") || rest.starts_with("{state}")) continue;
    table.problem(name.line, "\"" + name.text + "\": a value may hold {home} and {state}, and no other \"{\"");
    return;
  }
}

void read_environment(TomlTable& top, TomlReport& report, Manifest& manifest) {
  TomlTable table(top.table("environment"), "environment", report);
  const std::pair<std::string_view, std::map<std::string, std::string>*> sets[] = {
      {"set", &manifest.environment_set}, {"skip_permissions", &manifest.environment_skip}};
  for (const auto& [key, values] : sets) {
    for (auto& [name, value] : table.named_texts(key)) {
      check_variable(table, key, name);
      check_value(table, name, value);
      values->emplace(std::move(name.text), std::move(value));
    }
  }
  for (TomlText& name : table.texts("pass")) {
    check_variable(table, "pass", name);
    manifest.environment_pass.push_back(std::move(name.text));
  }
}

void read_login(TomlTable& top, TomlReport& report, Manifest& manifest) {
  TomlTable table(top.table("login"), "login", report);
  for (TomlText& name : table.texts("variables")) {
    check_variable(table, "variables", name);
    if (std::ranges::find(manifest.environment_pass, name.text) == manifest.environment_pass.end()) {
      table.problem(name.line, "\"variables\": \"" + name.text + "\" never gets inside: name it under [environment] pass too");
    }
    manifest.login.variables.push_back(std::move(name.text));
  }
  manifest.login.command = words(table, "command");
}

void read_seeds(TomlTable& top, TomlReport& report, Manifest& manifest) {
  for (const TomlValue* one : top.tables("seed")) {
    TomlTable table(one, "seed", report);
    SeedFile seed;
    const auto path = table.text("path");
    if (path) seed.path = path->text;
    if (!seed.path.starts_with("{state}/") || !is_path_below(seed.path.substr(8))) {
      table.problem(path ? path->line : one->line, "[[seed]] needs a \"path\" below the first state directory, as {state}/NAME");
    }
    if (const auto content = table.text("content")) seed.content = content->text;
    if (const auto from = table.text("from")) {
      if (!is_home_or_full_path(from->text)) table.problem(from->line, "\"from\" must begin with ~/ or /");
      seed.from = from->text;
    }
    manifest.seeds.push_back(std::move(seed));
  }
  if (!manifest.seeds.empty() && manifest.state.empty()) {
    top.problem(top.line_of("seed"), "[[seed]] needs a [[state]] that it lies in");
  }
}

}  // namespace

Result<Manifest> read_manifest(const TomlInput& text, std::string_view where) {
  const TomlValue document = TRY(parse_toml(text, where, ErrorCode::usage));
  TomlReport report(where, ErrorCode::usage);
  Manifest manifest;
  manifest.origin = std::string(where);
  {
    TomlTable top(&document, "", report);
    read_schema(top);
    read_identity(top, manifest);
    read_arguments(top, report, manifest);
    read_help(top, report, manifest);
    read_preflight(top, report, manifest);
    read_environment(top, report, manifest);
    read_states(top, report, manifest);
    read_login(top, report, manifest);
    read_seeds(top, report, manifest);
  }
  TRY(report.result());
  return manifest;
}

}  // namespace paddock
