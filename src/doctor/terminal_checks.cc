#include <algorithm>
#include <cctype>

#include <fmt/core.h>

#include "base/text.h"
#include "doctor/checks.h"

namespace paddock::doctor {
namespace {

constexpr int rows_min = 15, columns_min = 60;

bool is_utf8(std::string locale) {
  std::ranges::transform(locale, locale.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
}

}  // namespace

Answers terminal_type(const Facts& facts) {
  const TerminalFacts& terminal = facts.terminal;
  if (!terminal.is_terminal) return {skipped("not on a terminal")};
  if (terminal.type.empty() || terminal.type == "dumb") {
    return {warning(terminal.type.empty() ? "TERM is not set" : "TERM is dumb", "agents draw no screen on it", "start it in a terminal, or: export TERM=xterm-256color")};
  }
  if (terminal.has_description) return {ok(terminal.type)};
  return {warning(terminal.type, "the system has no description of this terminal, and one in your home is not visible inside", "infocmp -x | sudo tic -x -o /usr/share/terminfo -   or: paddock run --env TERM=xterm-256color …")};
}

Answers terminal_size(const Facts& facts) {
  const TerminalFacts& terminal = facts.terminal;
  if (!terminal.is_terminal) return {skipped("not on a terminal")};
  const std::string size = fmt::format("{} columns, {} rows", terminal.columns, terminal.rows);
  if (terminal.rows == 0 || terminal.columns == 0) return {warning("it does not say its size", "programs assume 80 columns and 24 rows", "stty cols 120 rows 40")};
  if (terminal.rows < rows_min || terminal.columns < columns_min) return {warning(size, "agents' screens need more to be readable", fmt::format("make it at least {} columns and {} rows", columns_min, rows_min))};
  return {ok(size)};
}

Answers terminal_encoding(const Facts& facts) {
  const std::string& locale = facts.terminal.locale;
  if (is_utf8(locale)) return {ok(locale)};
  return {warning(locale.empty() ? "no locale is set" : locale, "programs write frames and names in UTF-8, and may fall back to question marks", "export LANG=C.UTF-8")};
}

Answers terminal_multiplexer(const Facts& facts) {
  const TerminalFacts& terminal = facts.terminal;
  if (terminal.multiplexer.empty()) return {ok("none")};
  const std::string name = terminal.multiplexer + (terminal.multiplexer_version.empty() ? "" : " " + terminal.multiplexer_version);
  if (terminal.multiplexer != "tmux") return {ok(name)};
  if (terminal.passthrough.empty()) return {ok(name + ", passthrough unknown")};
  if (terminal.passthrough != "off") return {ok(name + ", passthrough " + terminal.passthrough)};
  return {warning(name + ", passthrough off", "notifications of agents do not reach the terminal around it", "tmux set -g allow-passthrough on")};
}

}  // namespace paddock::doctor
