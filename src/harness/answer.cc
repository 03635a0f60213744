#include "harness/answer.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <optional>
#include <vector>

#include <fmt/core.h>

#include "base/text.h"

namespace paddock {
namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// What stands between `before` and the first of `ends`, on one line, at most 120 bytes, made visible.
std::string between(std::string_view text, std::string_view before, std::string_view ends) {
  const auto at = text.find(before);
  if (at == std::string_view::npos) return {};
  std::string_view rest = text.substr(at + before.size());
  rest = rest.substr(0, std::min(rest.find('\n'), rest.find_first_of(ends)));
  constexpr std::size_t bytes_max = 120;
  return visible(trim(rest.substr(0, bytes_max)));
}

constexpr std::string_view show_it = "if it lies in your home, show its directory: --ro DIRECTORY";

// ld.so(8): "x: error while loading shared libraries: libfoo.so.1: cannot open shared object file: …"
std::optional<AnswerFault> library(std::string_view said) {
  if (const std::string name = between(said, "error while loading shared libraries: ", ":"); !name.empty()) {
    return AnswerFault{"a shared library is not there: " + name, std::string(show_it), true};
  }
  // musl: "Error loading shared library libfoo.so.1: No such file or directory (needed by x)"
  if (const std::string name = between(said, "Error loading shared library ", ":"); !name.empty()) {
    return AnswerFault{"a shared library is not there: " + name, std::string(show_it), true};
  }
  if (const std::string version = between(said, "version `", "'"); !version.empty() && has(said, "' not found")) {
    return AnswerFault{"it was built for a newer library than this system has: " + version, "install a build for this distribution", false};
  }
  return std::nullopt;
}

// env(1) of coreutils ("env: ‘node’: No such file or directory"), of busybox ("env: can't execute 'node': …"), and sh.
std::optional<AnswerFault> interpreter(std::string_view said) {
  for (const auto& [before, end] : {std::pair<std::string_view, std::string_view>{"env: ‘", "’"}, {"env: '", "'"}, {"env: can't execute '", "'"}}) {
    if (!has(said, "No such file")) break;
    std::string name = between(said, before, end == "’" ? std::string_view("\xe2") : end);
    if (!name.empty()) return AnswerFault{"its interpreter is not on the PATH inside: " + name, "start from a shell in which it works, or show the interpreter's directory: --ro DIRECTORY", true};
  }
  return std::nullopt;
}

std::optional<AnswerFault> runtime_version(std::string_view said) {
  const bool is_node = has(said, "Node.js") || has(said, "node:internal") || has(said, "at Module._compile");
  const bool names_version = has(said, "requires Node") || has(said, "Unsupported engine") || has(said, "EBADENGINE") || has(said, "Node.js version") || has(said, "or higher is required");
  if (names_version) return AnswerFault{"it needs another version of Node.js than the one that it finds", "choose that version with your version manager, in the shell that you start from", false};
  if (is_node && (has(said, "SyntaxError") || has(said, "ERR_UNKNOWN_BUILTIN_MODULE"))) {
    return AnswerFault{"the Node.js that it finds is too old for it", "choose a newer version with your version manager, in the shell that you start from", false};
  }
  return std::nullopt;
}

std::optional<AnswerFault> module(std::string_view said) {
  if (has(said, "MODULE_NOT_FOUND") || has(said, "Cannot find module")) {
    const std::string name = between(said, "Cannot find module '", "'");
    return AnswerFault{"a part of it is not there" + (name.empty() ? std::string() : ": " + name), std::string(show_it), true};
  }
  if (const std::string name = between(said, "No module named '", "'"); !name.empty()) return AnswerFault{"a Python module is not there: " + name, std::string(show_it), true};
  return std::nullopt;
}

std::optional<AnswerFault> refused_write(std::string_view said) {
  if (has(said, "EROFS") || has(said, "Read-only file system")) return AnswerFault{"it wants to write where it may not", "paddock explain shows what is writable; --rw PATH adds to it", false};
  return std::nullopt;
}

AnswerFault by_exit_code(int exit_code) {
  constexpr int signals_from = 128;
  if (exit_code == signals_from + SIGSYS) return {"it made a system call that the sandbox's filter ends programs for", "", false};
  if (exit_code > signals_from) return {fmt::format("signal {} ({}) ended it", exit_code - signals_from, ::strsignal(exit_code - signals_from)), "", false};
  return {fmt::format("it ended with status {}", exit_code), "", false};
}

}  // namespace

AnswerFault fault_of_answer(std::string_view said, int exit_code) {
  for (const auto look : {library, interpreter, runtime_version, module, refused_write}) {
    if (auto fault = look(said)) return std::move(*fault);
  }
  return by_exit_code(exit_code);
}

std::string tail_of(std::string_view said) {
  std::vector<std::string> lines;
  for (const std::string& line : split(said, '\n')) {
    const std::string_view text = trim(line);
    if (!text.empty()) lines.push_back(visible(text.substr(0, tail_line_bytes_max)));
  }
  if (lines.size() > tail_lines_max) lines.erase(lines.begin(), lines.end() - tail_lines_max);
  return join(lines, "\n");
}

}  // namespace paddock
