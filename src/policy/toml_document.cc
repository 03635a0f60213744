#include "policy/toml_document.h"

#include <toml++/toml.h>

#include <algorithm>

#include "base/text.h"
#include "policy/toml_scan.h"
#include "policy/toml_tree.h"

namespace paddock {

std::string_view name_of(TomlKind kind) {
  switch (kind) {
    case TomlKind::text: return "a string";
    case TomlKind::integer: return "a whole number";
    case TomlKind::real: return "a number";
    case TomlKind::boolean: return "true or false";
    case TomlKind::moment: return "a date or time";
    case TomlKind::list: return "a list";
    case TomlKind::table: return "a table";
  }
  return "?";
}

namespace {

Error at_line(std::string_view where, unsigned line, std::string_view what, ErrorCode code) {
  return error(code, std::string(where) + ":" + std::to_string(line) + ": " + visible(what));
}

TomlValue copied(const toml::node& node);

TomlValue copied_table(const toml::table& table) {
  TomlValue value;
  for (const auto& [key, node] : table) {
    value.entries.push_back({std::string(key.str()), static_cast<unsigned>(key.source().begin.line), copied(node)});
  }
  std::stable_sort(value.entries.begin(), value.entries.end(),
                   [](const TomlEntry& a, const TomlEntry& b) { return a.line < b.line; });
  return value;
}

// The tree is at most toml_depth_max deep (see TomlScan), so recursion is bounded.
TomlValue copied(const toml::node& node) {
  TomlValue value;
  if (const auto* table = node.as_table()) {
    value = copied_table(*table);
  } else if (const auto* list = node.as_array()) {
    value.kind = TomlKind::list;
    for (const toml::node& item : *list) value.items.push_back(copied(item));
  } else if (const auto* text = node.as_string()) {
    value.kind = TomlKind::text;
    value.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.kind = TomlKind::integer;
    value.integer = integer->get();
  } else if (const auto* real = node.as_floating_point()) {
    value.kind = TomlKind::real;
    value.real = real->get();
  } else if (const auto* boolean = node.as_boolean()) {
    value.kind = TomlKind::boolean;
    value.boolean = boolean->get();
  } else {
    value.kind = TomlKind::moment;
  }
  value.line = static_cast<unsigned>(node.source().begin.line);
  return value;
}

// The library's words for it, from the part that says what is wrong.
std::string reason(std::string_view description) {
  constexpr std::string_view preamble = "Error while parsing ";
  if (description.starts_with(preamble)) description.remove_prefix(preamble.size());
  std::string said = "not valid TOML: " + std::string(description);
  if (description.find("cannot redefine") != std::string_view::npos) said += " (each key and table once)";
  return said;
}

}  // namespace

Result<TomlValue> parse_toml(const TomlInput& input, std::string_view where, ErrorCode code) {
  if (!input.tree.empty()) return read_tree(input.tree);
  const std::string_view text = input.text;
  if (text.size() > toml_bytes_max) {
    return at_line(where, 1, "larger than 1 MiB; no file of this kind is", code);
  }
  if (const auto nul = text.find('\0'); nul != std::string_view::npos) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
    return at_line(where, static_cast<unsigned>(line), "holds a NUL byte", code);
  }
  if (const auto fault = TomlScan(text).fault()) return at_line(where, fault->line, fault->what, code);
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    return at_line(where, static_cast<unsigned>(parsed.error().source().begin.line),
                   reason(parsed.error().description()), code);
  }
  return copied_table(parsed.table());
}

}  // namespace paddock
