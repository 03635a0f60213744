#include "host/volta_shim.h"

#include "base/path.h"
#include "base/text.h"
#include "host/host_file.h"

namespace paddock {
namespace {

constexpr std::size_t volta_file_bytes_max = 256 * 1024;

// The string value of the first `"key":` behind position `from`; nothing where the value is none.
std::string string_value(std::string_view json, std::string_view key, std::size_t from = 0) {
  const std::string quoted = "\"" + std::string(key) + "\"";
  auto at = json.find(quoted, from);
  if (at == std::string_view::npos) return {};
  at = json.find_first_not_of(" \t\r\n", at + quoted.size());
  if (at == std::string_view::npos || json[at] != ':') return {};
  at = json.find_first_not_of(" \t\r\n", at + 1);
  if (at == std::string_view::npos || json[at] != '"') return {};
  const auto end = json.find('"', at + 1);
  return end == std::string_view::npos ? std::string() : std::string(json.substr(at + 1, end - at - 1));
}

bool is_plain_version(std::string_view version) {
  return !version.empty() && version != ".." && version != "." && version.find('/') == std::string_view::npos;
}

// { "volta": { "node": "20.1.0" } } of the nearest package.json that has it.
std::string pinned(const std::string& directory, std::string_view tool) {
  for (std::string at = directory; path::is_absolute(at); at = path::parent(at)) {
    const std::string text = read_or_nothing(path::join(at, "package.json"), volta_file_bytes_max).value_or("");
    const auto volta = text.find("\"volta\"");
    if (volta != std::string::npos) {
      const std::string inside = text.substr(volta, text.find('}', volta) - volta);
      if (std::string version = string_value(inside, tool); !version.empty()) return version;
    }
    if (at == "/") break;
  }
  return {};
}

// platform.json: { "node": { "runtime": "20.1.0", "npm": null }, "pnpm": …, "yarn": … }
std::string chosen(const std::string& root, std::string_view tool) {
  const std::string text = read_or_nothing(path::join(root, "tools/user/platform.json"), volta_file_bytes_max).value_or("");
  return string_value(text, tool == "node" ? "runtime" : tool);
}

std::string version_of(const ShimQuestion& question, const std::string& root, std::string_view tool) {
  const std::string pin = pinned(question.directory, tool);
  const std::string version = pin.empty() ? chosen(root, tool) : pin;
  return is_plain_version(version) ? version : std::string();
}

std::string program_of_tool(const ShimQuestion& question, const std::string& root) {
  const std::string images = path::join(root, "tools/image");
  const auto place = [&](std::string_view tool) {
    const std::string version = version_of(question, root, tool);
    return version.empty() ? std::string() : path::join(images, std::string(tool) + "/" + version + "/bin/" + question.name);
  };
  if (question.name == "pnpm" || question.name == "pnpx") return place("pnpm");
  if (question.name == "yarn" || question.name == "yarnpkg") return place("yarn");
  if (question.name == "npm" || question.name == "npx") {
    if (std::string own = place("npm"); is_executable_file(own)) return own;
  }
  return place("node");
}

// bins/NAME.json: { "name": "codex", "package": "@openai/codex", … }
std::string program_of_package(const ShimQuestion& question, const std::string& root) {
  const std::string text = read_or_nothing(path::join(root, "tools/user/bins/" + question.name + ".json"), volta_file_bytes_max).value_or("");
  const std::string package = string_value(text, "package");
  if (package.empty() || path::normal("/" + package) != "/" + package) return {};
  return path::join(root, "tools/image/packages/" + package + "/bin/" + question.name);
}

bool is_tool(std::string_view name) {
  for (const std::string_view tool : {"node", "npm", "npx", "pnpm", "pnpx", "yarn", "yarnpkg"}) {
    if (name == tool) return true;
  }
  return false;
}

}  // namespace

ShimAnswer resolve_volta(const ShimQuestion& question, const std::string& root) {
  ShimAnswer answer;
  answer.program = is_tool(question.name) ? program_of_tool(question, root) : program_of_package(question, root);
  answer.state = is_executable_file(answer.program) ? ShimState::resolved : ShimState::unresolved;
  if (answer.state == ShimState::resolved) return answer;
  answer.program.clear();
  answer.problem = question.found + " is a shim of volta, which has no " + question.name + " for it here: name the program that `volta which " +
                   question.name + "` prints";
  answer.roots = {root, path::parent(question.real)};
  return answer;
}

}  // namespace paddock
