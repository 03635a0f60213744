#include <sys/ioctl.h>
#include <unistd.h>

#include "base/ask_program.h"
#include "base/path.h"
#include "base/text.h"
#include "doctor/gather.h"

namespace paddock::doctor {
namespace {

// terminfo(5): below the first character of the name, or its number in hexadecimal.
bool has_description(const HostView& host, const std::string& type) {
  if (type.empty() || type.find('/') != std::string::npos) return false;
  for (const char* place : {"/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo"}) {
    if (host.real_path(path::join(path::join(place, type.substr(0, 1)), type))) return true;
  }
  return false;
}

std::string ask_tmux(const std::string& program, const std::vector<std::string>& arguments, const Environment& environment) {
  AskRequest request;
  request.program = program;
  request.arguments = arguments;
  request.environment = {"TMUX=" + variable(environment, "TMUX"), "PATH=/usr/local/bin:/usr/bin:/bin"};
  request.timeout_ms = program_timeout_ms;
  request.bytes_max = 256;
  const Result<Asked> asked = ask_program(request);
  return asked && asked->status == 0 ? std::string(trim(asked->said)) : std::string();
}

void look_for_multiplexer(TerminalFacts& facts, const HostView& host, const Environment& environment) {
  if (!variable(environment, "TMUX").empty()) facts.multiplexer = "tmux";
  else if (!variable(environment, "ZELLIJ").empty()) facts.multiplexer = "zellij";
  else if (!variable(environment, "STY").empty()) facts.multiplexer = "screen";
  if (facts.multiplexer != "tmux") return;
  const std::string program = host.find_executable("tmux", absolute_search_path(environment)).found;
  if (program.empty()) return;
  const std::string version = ask_tmux(program, {"-V"}, environment);  // "tmux 3.3a"
  facts.multiplexer_version = version.substr(version.find(' ') + 1);
  facts.passthrough = ask_tmux(program, {"show", "-gv", "allow-passthrough"}, environment);
}

}  // namespace

TerminalFacts terminal_facts(const HostView& host, const Environment& environment) {
  TerminalFacts facts;
  winsize size{};
  for (const int fd : {1, 2, 0}) {
    if (::isatty(fd) != 1) continue;
    facts.is_terminal = true;
    if (::ioctl(fd, TIOCGWINSZ, &size) == 0) break;
  }
  facts.rows = size.ws_row;
  facts.columns = size.ws_col;
  facts.type = variable(environment, "TERM");
  facts.has_description = has_description(host, facts.type);
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (facts.locale.empty()) facts.locale = variable(environment, name);
  }
  look_for_multiplexer(facts, host, environment);
  return facts;
}

}  // namespace paddock::doctor
