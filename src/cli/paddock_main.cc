// paddock: names the command, parses its line by its table, runs it, and turns errors into words and
// an exit code.
#include <unistd.h>

#include <cstdlib>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/messages.h"

extern char** environ;

namespace paddock {
namespace {

std::map<std::string, std::string> read_environment() {
  std::map<std::string, std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto equals = text.find('=');
    if (equals != std::string_view::npos && equals != 0) all.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return all;
}

std::string own_program() {
  char buffer[4096];
  const ssize_t n = ::readlink("/proc/self/exe", buffer, sizeof buffer);
  return n <= 0 ? std::string() : std::string(buffer, static_cast<std::size_t>(n));
}

// Beside the program in a build tree, in ../lib/paddock when installed.
std::string find_warden(const std::string& program) {
  const std::string directory = path::parent(program);
  std::string beside = path::join(directory, "paddock-warden");
  if (::access(beside.c_str(), X_OK) == 0) return beside;
  return path::normal("../lib/paddock/paddock-warden", directory);
}

std::string current_directory() {
  char buffer[8192];
  return ::getcwd(buffer, sizeof buffer) == nullptr ? std::string() : std::string(buffer);
}

bool wants_colour(const std::map<std::string, std::string>& environment) {
  const auto no_colour = environment.find("NO_COLOR");
  if (no_colour != environment.end() && !no_colour->second.empty()) return false;
  const auto term = environment.find("TERM");
  return ::isatty(2) == 1 && (term == environment.end() || term->second != "dumb");
}

bool asks_for_help(const std::vector<std::string>& words, const CommandRow& command) {
  for (const std::string& word : words) {
    if (word == "--" || (command.rest == Rest::command && !word.starts_with("-"))) return false;
    if (word == "--help" || word == "-h") return true;
  }
  return false;
}

Result<int> dispatch(Context& context, const std::vector<std::string>& words) {
  if (words.empty()) {
    print_out(short_help());
    return 0;
  }
  std::string name = words.front();
  if (name == "--help" || name == "-h") name = "help";
  if (name == "--version" || name == "-V") name = "version";
  const CommandRow* command = command_named(name);
  if (command == nullptr) {
    std::vector<std::string> known;
    for (const CommandRow& row : commands()) known.emplace_back(row.name);
    const auto near = nearest(name, known);
    return error(ErrorCode::usage, fmt::format("no command is called {}", visible(name)), near ? fmt::format("did you mean: paddock {}", *near) : "paddock help lists the commands");
  }
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (asks_for_help(rest, *command)) {
    print_out(help_of(*command));
    return 0;
  }
  return command->run(context, TRY(parse_arguments(rest, command->options, command->takes_sandbox_flags, command->rest)));
}

int run(int argc, char** argv) {
  Context context;
  context.environment = read_environment();
  context.colour = wants_colour(context.environment);
  context.directory = current_directory();
  context.own_program = own_program();
  context.warden = find_warden(context.own_program);
  RealHost host(context.environment, context.directory);
  context.host = &host;
  std::vector<std::string> linked_settings;
  context.linked_settings = &linked_settings;
  context.directories = directories_of(context.environment, host.user().home);
  host.keep_views_in(context.directories.state);
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const Result<int> code = dispatch(context, words);
  if (code) return *code;
  print_error(code.failure(), context.colour ? Colour::yes : Colour::no);
  return exit_code_of(code.failure());
}

}  // namespace
}  // namespace paddock

int main(int argc, char** argv) { return paddock::run(argc, argv); }
