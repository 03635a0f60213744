#include "host/version_shim.h"

#include <algorithm>
#include <optional>

#include "base/path.h"
#include "base/text.h"
#include "host/host_file.h"

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

// Versions as a file or variable names them: separated by blanks or colons, comments left out.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (const std::string& line : split(text, '\n')) {
    std::string word;
    for (const char c : line.substr(0, line.find('#')) + " ") {
      if (c != ' ' && c != '\t' && c != '\r' && c != ':') {
        word += c;
      } else if (!word.empty()) {
        words.push_back(std::move(word));
        word.clear();
      }
    }
  }
  return words;
}

struct Choice {
  std::vector<std::string> versions;
  std::string said_by;
};

Choice chosen_versions(const Manager& manager, const std::string& root, const ShimQuestion& question) {
  if (const std::string value = variable(question, manager.variable); !value.empty()) {
    return {words_of(value), std::string(manager.variable)};
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
    std::vector<std::string> versions = words_of(*text);
    if (!versions.empty()) return {std::move(versions), file};
  }
  return {{"system"}, "no version file"};
}

// "10" before "9": runs of digits compare as numbers.
bool is_earlier(const std::string& a, const std::string& b) {
  const auto digits = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!digits(a[i]) || !digits(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    const auto end_a = std::min(a.find_first_not_of("0123456789", i), a.size());
    const auto end_b = std::min(b.find_first_not_of("0123456789", j), b.size());
    if (end_a - i != end_b - j) return end_a - i < end_b - j;
    const int order = a.compare(i, end_a - i, b, j, end_b - j);
    if (order != 0) return order < 0;
    i = end_a, j = end_b;
  }
  return a.size() - i < b.size() - j;
}

// The installed version of that name, or the latest of which it is the beginning ("3.11" of "3.11.4").
std::optional<std::string> installed(const Manager& manager, const std::string& root, const std::string& version) {
  if (version.find('/') != std::string::npos || version == "." || version == "..") return {};
  const std::string versions = path::join(root, "versions");
  std::string plain = version;
  if (const std::string prefix = std::string(manager.name == "rbenv" ? "ruby-" : "v"); plain.starts_with(prefix)) {
    plain.erase(0, prefix.size());
  }
  for (const std::string& name : {version, plain}) {
    if (is_directory(path::join(versions, name))) return path::join(versions, name);
  }
  std::string best;
  for (const std::string& name : list_directory(versions)) {
    if (name.starts_with(plain + ".") && (best.empty() || is_earlier(best, name))) best = name;
  }
  if (best.empty()) return {};
  return path::join(versions, best);
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
    const auto directory = installed(manager, root, version);
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

// asdf writes the versions that have the command into its shim: "# asdf-plugin: nodejs 20.1.0".
ShimAnswer resolve_asdf(const ShimQuestion& question, const std::string& text) {
  const std::string root = path::parent(path::parent(question.real));
  std::vector<std::string> programs;
  for (const std::string& line : split(text, '\n')) {
    constexpr std::string_view mark = "# asdf-plugin: ";
    if (!line.starts_with(mark)) continue;
    const std::vector<std::string> words = words_of(line.substr(mark.size()));
    if (words.size() != 2 || words[0].find('/') != std::string::npos || words[1].find('/') != std::string::npos) continue;
    const std::string program = path::join(root, "installs/" + words[0] + "/" + words[1] + "/bin/" + question.name);
    if (is_executable_file(program)) programs.push_back(program);
  }
  if (programs.size() != 1) {
    return unresolved(question.found + " is a shim of asdf: name the program that `asdf which " + question.name + "` prints", {root});
  }
  ShimAnswer answer;
  answer.state = ShimState::resolved;
  answer.program = programs.front();
  return answer;
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
  if (program == "mise" && question.name != "mise" && path::name(directory) == "shims") {
    return unresolved(question.found + " is a shim of mise: name the program that `mise which " + question.name + "` prints",
                      {path::parent(directory), question.real});
  }
  if (program == "volta-shim" && question.name != "volta") {
    return unresolved(question.found + " is a shim of volta: name the program that `volta which " + question.name + "` prints",
                      {path::parent(path::parent(question.real)), path::parent(directory)});
  }
  return resolve_script(question);
}

}  // namespace paddock
