// What the kernel finds at the start of a program (execve(2), elf(5)): who must run it. Nothing is executed.
#pragma once

#include <string>
#include <string_view>

namespace paddock {

enum class ProgramKind { unreadable, unknown, script, elf };

struct ProgramFormat {
  ProgramKind kind = ProgramKind::unknown;
  std::string interpreter;  // of the "#!" line, or PT_INTERP; empty for a static program
  std::string argument;     // of the "#!" line: all of the rest, one argument
  bool carriage_return = false;  // the "#!" line ends in CR LF: the CR belongs to what the kernel looks for
  std::string foreign;      // "aarch64": built for another machine than this one
  friend bool operator==(const ProgramFormat&, const ProgramFormat&) = default;
};

// `start` is the first bytes of a file. Beyond what is there, nothing is known.
ProgramFormat parse_script_line(std::string_view start);
ProgramFormat read_program_format(const std::string& path);

// The program that a shell script of a package manager hands over to, which it looks for on PATH: "node" of
// `exec node  "$basedir/…" "$@"` (pnpm, npm). Empty when the file is none of these; `interpreter` is its "#!" line's.
std::string program_of_wrapper(const std::string& path, std::string_view interpreter);

// The program that env(1) would look for, given the argument of a "#!" line: "node" for "node" and for
// "-S node --flag". The kernel passes the argument as one word, so without -S it is a name as it stands
// ("node --flag" is a program's name). Empty when it names none.
std::string program_of_env(std::string_view argument);

}  // namespace paddock
