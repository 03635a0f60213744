#include "host/version_shim.h"

#include <map>
#include <optional>
#include <set>

#include "base/path.h"
#include "base/text.h"
#include "host/host_file.h"
#include "host/installed_version.h"
#include "host/tool_versions.h"
#include "host/volta_shim.h"

namespace paddock {
namespace {

constexpr std::size_t version_file_bytes_max = 4096;
constexpr std::size_t shim_bytes_max = 16 * 1024;

// The family of rbenv: ROOT/shims/NAME, ROOT/version, ROOT/versions/V/bin/NAME, a file in the project.
struct Manager {
  std::string_view name;
  std::string_view version_file;
  std::string_view variable;
};

constexpr Manager managers[] = {
    {"pyenv", ".python-version", "PYENV_VERSION"}, {"rbenv", ".ruby-version", "RBENV_VERSION"},
    {"nodenv", ".node-version", "NODENV_VERSION"}, {"goenv", ".go-version", "GOENV_VERSION"},
    {"plenv", ".perl-version", "PLENV_VERSION"},   {"phpenv", ".php-version", "PHPENV_VERSION"},
    {"jenv", ".java-version", "JENV_VERSION"},
};

std::string variable(const ShimQuestion& question, std::string_view name) {
  if (question.environment == nullptr) return {};
  const auto found = question.environment->find(std::string(name));
  return found == question.environment->end() ? "" : found->second;
}

struct Choice {
  std::vector<std::string> versions;
  std::string said_by;
};

Choice chosen_versions(const Manager& manager, const std::string& root, const ShimQuestion& question) {
  if (const std::string value = variable(question, manager.variable); !value.empty()) {
    return {words_of_versions(value), std::string(manager.variable)};
  }
  std::vector<std::string> files;
  for (std::string at = question.directory; path::is_absolute(at); at = path::parent(at)) {
    files.push_back(path::join(at, manager.version_file));
    if (at == "/") break;
  }
  files.push_back(path::join(root, "version"));
  for (const std::string& file : files) {
    const auto text = read_or_nothing(file, version_file_bytes_max);
    if (!text) continue;
    std::vector<std::string> versions = words_of_versions(*text);
    if (!versions.empty()) return {std::move(versions), file};
  }
  return {{"system"}, "no version file"};
}

ShimAnswer resolve_family(const Manager& manager, const std::string& root, const ShimQuestion& question) {
  const Choice choice = chosen_versions(manager, root, question);
  ShimAnswer answer;
  answer.state = ShimState::unresolved;
  for (const std::string& version : choice.versions) {
    if (version == "system") {
      answer.state = ShimState::elsewhere;
      return answer;
    }
    const auto directory = installed_version(path::join(root, "versions"), version, manager.name == "rbenv" ? "ruby-" : "v");
    const std::string program = path::join(directory.value_or(""), "bin/" + question.name);
    if (!directory || !is_executable_file(program)) continue;
    answer.state = ShimState::resolved;
    answer.program = program;
    return answer;
  }
  const std::string name(manager.name);
  answer.problem = name + " has no " + question.name + " in version " + join(choice.versions, ", ") + " (said by " +
                   choice.said_by + "): install it with `" + name + " install`, or choose another with `" + name + " local`";
  answer.roots = {root};
  return answer;
}

ShimAnswer unresolved(std::string problem, std::vector<std::string> roots) {
  ShimAnswer answer;
  answer.state = ShimState::unresolved;
  answer.problem = std::move(problem);
  answer.roots = std::move(roots);
  return answer;
}

ShimAnswer resolved(std::string program) {
  ShimAnswer answer;
  answer.state = ShimState::resolved;
  answer.program = std::move(program);
  return answer;
}

// The first of `programs` (by the version's directory) that the files of the project, then those of home, ask for.
std::string asked_for(const std::vector<std::string>& programs, const std::vector<std::string>& versions) {
  for (const std::string& version : versions) {
    for (const std::string& program : programs) {
      if (path::name(path::parent(path::parent(program))) == version) return program;
    }
  }
  return {};
}

// asdf writes the versions that have the command into its shim: "# asdf-plugin: nodejs 20.1.0".
ShimAnswer resolve_asdf(const ShimQuestion& question, const std::string& text) {
  const std::string root = path::parent(path::parent(question.real));
  std::map<std::string, std::vector<std::string>> programs;  // by plugin
  for (const std::string& line : split(text, '\n')) {
    constexpr std::string_view mark = "# asdf-plugin: ";
    if (!line.starts_with(mark)) continue;
    const std::vector<std::string> words = words_of_versions(line.substr(mark.size()));
    if (words.size() != 2 || words[0].find('/') != std::string::npos || words[1].find('/') != std::string::npos) continue;
    std::string program = path::join(root, "installs/" + words[0] + "/" + words[1] + "/bin/" + question.name);
    if (is_executable_file(program)) programs[words[0]].push_back(std::move(program));
  }
  const ToolVersions wanted = programs.empty() ? ToolVersions{} : tool_versions_for(question.directory, question.home, ToolFiles::asdf);
  for (const auto& [plugin, all] : programs) {
    const auto versions = wanted.find(plugin);
    if (versions == wanted.end()) continue;
    if (std::string program = asked_for(all, versions->second); !program.empty()) return resolved(std::move(program));
  }
  if (programs.size() == 1 && programs.begin()->second.size() == 1) return resolved(programs.begin()->second.front());
  return unresolved(question.found + " is a shim of asdf: name the program that `asdf which " + question.name + "` prints", {root});
}

// installs/TOOL/VERSION/bin/NAME, of the tool that has it and the version that is asked for.
ShimAnswer resolve_mise(const ShimQuestion& question, const std::string& root) {
  const std::string installs = path::join(root, "installs");
  const auto program_in = [&](const std::string& version) { return path::join(version, "bin/" + question.name); };
  for (const auto& [tool, versions] : tool_versions_for(question.directory, question.home, ToolFiles::mise)) {
    const std::string name = mise_directory_of(tool);
    if (name.empty()) continue;
    const std::string place = path::join(installs, name);
    for (const std::string& version : versions) {
      const auto directory = installed_version(place, version, "v");
      if (directory && is_executable_file(program_in(*directory))) return resolved(program_in(real_path_of(*directory).value_or(*directory)));
    }
  }
  std::set<std::string> only;  // without a file that asks: where there is no choice
  for (const std::string& tool : list_directory(installs)) {
    for (const std::string& version : list_directory(path::join(installs, tool))) {
      const auto directory = real_path_of(path::join(installs, tool + "/" + version));
      if (directory && is_executable_file(program_in(*directory))) only.insert(program_in(*directory));
      if (only.size() > 1) break;
    }
  }
  if (only.size() == 1) return resolved(*only.begin());
  return unresolved(question.found + " is a shim of mise: name the program that `mise which " + question.name + "` prints", {root, question.real});
}

ShimAnswer resolve_script(const ShimQuestion& question) {
  if (path::name(path::parent(question.real)) != "shims") return {};
  const std::string text = read_or_nothing(question.real, shim_bytes_max).value_or("");
  if (text.find("asdf exec") != std::string::npos || text.find("asdf\" exec") != std::string::npos) return resolve_asdf(question, text);
  for (const Manager& manager : managers) {
    const std::string name(manager.name);
    if (text.find(name + "\" exec") == std::string::npos && text.find(name + " exec") == std::string::npos) continue;
    return resolve_family(manager, path::parent(path::parent(question.real)), question);
  }
  return {};
}

}  // namespace

ShimAnswer resolve_shim(const ShimQuestion& question) {
  const std::string program = path::name(question.real);
  const std::string directory = path::parent(question.found);
  if (program == "mise" && question.name != "mise" && path::name(directory) == "shims") return resolve_mise(question, path::parent(directory));
  if (program == "volta-shim" && question.name != "volta") return resolve_volta(question, path::parent(directory));
  if (program == "snap" && directory.ends_with("/snap/bin")) {
    return unresolved(question.found + " is a snap, which its own service starts: install " + question.name + " in another way", {});
  }
  return resolve_script(question);
}

}  // namespace paddock
