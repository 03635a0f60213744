// Which versions of tools a directory asks for, in the files of asdf and mise: .tool-versions, and the
// [tools] of mise's TOML files. Read by line: what a line says in a form that is not known here is passed over.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace paddock {

// By tool, as the file spells it: "nodejs" -> {"20.1.0", "system"}. The files are hostile input.
using ToolVersions = std::map<std::string, std::vector<std::string>>;

ToolVersions parse_tool_versions(std::string_view text);

// `node = "20"`, `node = ["20", "18"]`, `node = { version = "20" }`, and quoted keys, below [tools].
ToolVersions parse_mise_tools(std::string_view text);

// Of every such file from `directory` upwards, the nearest first, then of those below `home`.
// `mise` says whether mise's own files are among them.
enum class ToolFiles { asdf, mise };
ToolVersions tool_versions_for(const std::string& directory, const std::string& home, ToolFiles files);

// "npm:@openai/codex" -> "npm-openai-codex": the name of a tool's directory below mise's installs. Never a path;
// empty for a name that makes none.
std::string mise_directory_of(std::string_view tool);

}  // namespace paddock
