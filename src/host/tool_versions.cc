#include "host/tool_versions.h"

#include "base/path.h"
#include "base/text.h"
#include "host/host_file.h"
#include "host/installed_version.h"

namespace paddock {
namespace {

constexpr std::size_t tool_file_bytes_max = 64 * 1024;
constexpr std::size_t tools_max = 256;

// The text of the quoted string that begins at `at`; nothing else is taken for a value.
std::string quoted_at(std::string_view line, std::size_t at) {
  if (at >= line.size() || (line[at] != '"' && line[at] != '\'')) return {};
  const auto end = line.find(line[at], at + 1);
  return end == std::string_view::npos ? std::string() : std::string(line.substr(at + 1, end - at - 1));
}

std::vector<std::string> values_of(std::string_view value) {
  if (value.starts_with('{')) {
    const auto key = value.find("version");
    const auto at = key == std::string_view::npos ? key : value.find_first_of("\"'", key);
    if (at == std::string_view::npos) return {};
    return {quoted_at(value, at)};
  }
  std::vector<std::string> values;
  for (auto at = value.find_first_of("\"'"); at != std::string_view::npos; at = value.find_first_of("\"'", at)) {
    std::string one = quoted_at(value, at);
    if (one.empty()) break;
    at += one.size() + 2;
    values.push_back(std::move(one));
  }
  return values;
}

void add_missing(ToolVersions& to, ToolVersions more) {
  for (auto& [tool, versions] : more) {
    if (to.size() < tools_max) to.emplace(tool, std::move(versions));
  }
}

void add_file(ToolVersions& to, const std::string& place, ToolVersions (*parse)(std::string_view)) {
  if (const auto text = read_or_nothing(place, tool_file_bytes_max)) add_missing(to, parse(*text));
}

void add_directory(ToolVersions& to, const std::string& directory, ToolFiles files) {
  if (files == ToolFiles::mise) {
    for (const std::string_view name : {"mise.local.toml", "mise.toml", ".mise.local.toml", ".mise.toml", ".config/mise.toml"}) {
      add_file(to, path::join(directory, name), parse_mise_tools);
    }
  }
  add_file(to, path::join(directory, ".tool-versions"), parse_tool_versions);
}

}  // namespace

ToolVersions parse_tool_versions(std::string_view text) {
  ToolVersions all;
  for (const std::string& line : split(text, '\n')) {
    const auto comment = line.find('#');
    std::vector<std::string> words;
    for (const std::string& word : split(std::string_view(line).substr(0, comment), ' ')) {
      if (!trim(word).empty()) words.emplace_back(trim(word));
    }
    if (words.size() < 2 || all.size() >= tools_max) continue;
    all.emplace(words.front(), std::vector<std::string>(words.begin() + 1, words.end()));
  }
  return all;
}

ToolVersions parse_mise_tools(std::string_view text) {
  ToolVersions all;
  bool in_tools = false;
  for (const std::string& whole : split(text, '\n')) {
    const std::string_view line = trim(whole);
    if (line.starts_with('[')) in_tools = line == "[tools]";
    const auto equals = line.find('=');
    if (!in_tools || line.starts_with('#') || equals == std::string_view::npos || all.size() >= tools_max) continue;
    std::string key(trim(line.substr(0, equals)));
    if (const std::string quoted = quoted_at(key, 0); !quoted.empty()) key = quoted;
    std::vector<std::string> values = values_of(trim(line.substr(equals + 1)));
    if (!key.empty() && !values.empty()) all.emplace(std::move(key), std::move(values));
  }
  return all;
}

ToolVersions tool_versions_for(const std::string& directory, const std::string& home, ToolFiles files) {
  ToolVersions all;
  for (std::string at = directory; path::is_absolute(at); at = path::parent(at)) {
    add_directory(all, at, files);
    if (at == "/") break;
  }
  if (files == ToolFiles::mise) add_file(all, path::join(home, ".config/mise/config.toml"), parse_mise_tools);
  add_file(all, path::join(home, ".tool-versions"), parse_tool_versions);
  return all;
}

std::string mise_directory_of(std::string_view tool) {
  std::string name;
  for (const char c : tool) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
    if (plain) name += c;
    else if (!name.empty() && name.back() != '-') name += '-';
  }
  while (name.ends_with('-')) name.pop_back();
  return name == "." || name == ".." ? std::string() : name;
}

}  // namespace paddock
