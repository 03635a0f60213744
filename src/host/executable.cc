#include "host/executable.h"

#include <algorithm>
#include <iterator>

#include "base/path.h"
#include "base/text.h"
#include "host/host_file.h"
#include "host/link_chain.h"
#include "host/program_format.h"
#include "host/tool_root.h"
#include "host/version_shim.h"

namespace paddock {
namespace {

class Finder {
 public:
  Finder(std::string search_path, const ExecutableContext& context, KnownFiles& files)
      : search_path_(search_path.empty() ? "/bin:/usr/bin" : std::move(search_path)),
        context_(context),
        files_(files),
        home_(files.real_path(context.home).value_or(context.home)) {}

  Executable find(const std::string& name) {
    Executable found = search(name, "");
    if (found.problem == ExecutableProblem::none) examine(found, name, 0);
    std::erase_if(found.needs, [](const std::string& need) { return is_system_path(need); });
    keep_outermost(found.needs);
    return found;
  }

 private:
  // Sets `found`, or the problem. Entries below `avoided` are passed over.
  Executable search(const std::string& name, const std::string& avoided) const {
    Executable result;
    result.problem = ExecutableProblem::not_found;
    result.detail = name.empty() ? "the name of the command is empty" : name + " is not on the search path";
    if (name.empty() || name.find('\0') != std::string::npos) return result;
    if (name.find('/') != std::string::npos) {
      result.detail = name + " does not exist";
      consider(path::is_absolute(name) ? name : path::join(context_.directory, name), result);
      return result;
    }
    for (const std::string& entry : split(search_path_, ':')) {
      std::string directory = entry.empty() ? context_.directory : entry;
      if (!path::is_absolute(directory)) directory = path::join(context_.directory, directory);
      if (!avoided.empty() && path::is_within(files_.real_path(directory).value_or(directory), avoided)) continue;
      if (consider(path::join(directory, name), result)) break;
    }
    return result;
  }

  // True when it can be executed. One that is there and can't is remembered, and the search goes on.
  bool consider(const std::string& candidate, Executable& result) const {
    HostFile file = files_.look(candidate);
    if (file.kind == FileKind::link) file = look_through(candidate);
    if (file.kind == FileKind::absent || file.kind == FileKind::unreadable) return false;
    const bool may_run = file.kind == FileKind::file && may_execute(candidate);
    if (result.problem == ExecutableProblem::not_executable && !may_run) return false;
    result.found = candidate;
    result.problem = may_run ? ExecutableProblem::none : ExecutableProblem::not_executable;
    result.detail = may_run ? "" : candidate + (file.kind == FileKind::directory ? " is a directory" : " is not executable");
    return may_run;
  }

  void examine(Executable& it, const std::string& name, int depth) {
    follow(it, it.found);
    it.program = it.found;
    if (it.problem != ExecutableProblem::none) return;
    const ShimAnswer shim = resolve_shim({.found = it.found, .real = it.real, .name = path::name(name), .directory = context_.directory,
                                          .home = context_.home, .environment = context_.environment});
    if (shim.state == ShimState::unresolved) {
      it.problem = ExecutableProblem::shim_unresolved;
      it.detail = shim.problem;
      add_trees(shim.roots, it);
    }
    if (shim.state == ShimState::resolved) stand_for(it, shim.program);
    if (shim.state == ShimState::elsewhere && !go_elsewhere(it, path::name(name))) return;
    add(roots_of_program(it.real, home_), it);
    examine_format(it, depth);
  }

  void follow(Executable& it, const std::string& from) {
    LinkChain links = follow_links(from, files_);
    if (!it.chain.empty()) it.chain.pop_back();  // what was taken for real
    std::move(links.links.begin(), links.links.end(), std::back_inserter(it.chain));
    if (!links.real) {
      it.problem = ExecutableProblem::not_found;
      it.detail = from + " leads nowhere";
      return;
    }
    it.real = *links.real;
    it.chain.push_back(it.real);
  }

  // The manager says "system": the next one on PATH that isn't a shim of its own.
  bool go_elsewhere(Executable& it, const std::string& name) {
    Executable other = search(name, path::parent(it.real));
    if (other.problem != ExecutableProblem::none) {
      it.problem = ExecutableProblem::shim_unresolved;
      it.detail = it.found + " is a shim for the system's " + name + ", which is not on the search path";
      return false;
    }
    stand_for(it, other.found);
    return it.problem == ExecutableProblem::none;
  }

  // What a shim runs takes its place.
  void stand_for(Executable& it, const std::string& program) {
    it.shims.push_back({path::parent(it.found), path::parent(program)});
    it.program = program;
    follow(it, program);
  }

  static void add(std::vector<std::string> roots, Executable& it) {
    std::move(roots.begin(), roots.end(), std::back_inserter(it.needs));
  }

  void add_trees(const std::vector<std::string>& roots, Executable& it) const {
    for (const std::string& root : roots) {
      if (may_be_shown(root, home_) || is_regular_file(root)) it.needs.push_back(root);
    }
  }

  static void report(Executable& it, ExecutableProblem problem, std::string detail) {
    if (it.problem != ExecutableProblem::none) return;
    it.problem = problem;
    it.detail = std::move(detail);
  }

  void examine_format(Executable& it, int depth) {
    const ProgramFormat format = read_program_format(it.real);
    it.interpreter = format.interpreter;
    if (format.kind == ProgramKind::unknown && it.detail.empty()) {
      it.detail = it.real + " has no #! line and is no program of this system";
    }
    if (format.kind == ProgramKind::elf) examine_elf(it, format);
    if (format.kind == ProgramKind::script) examine_script(it, format, depth);
  }

  void examine_elf(Executable& it, const ProgramFormat& format) {
    if (!format.foreign.empty()) it.detail = it.real + " is built for " + format.foreign;
    if (format.interpreter.empty()) return;
    if (is_executable_file(format.interpreter)) {
      if (is_system_path(format.interpreter)) return;
      return add(roots_of_program(files_.real_path(format.interpreter).value_or(format.interpreter), home_), it);
    }
    const std::string built = format.foreign.empty() ? "" : "is built for " + format.foreign + " and ";
    report_over(it, it.real + " " + built + "needs " + format.interpreter + ", which does not exist: use a build for this system, or install that loader");
  }

  static void report_over(Executable& it, std::string detail) {
    if (it.problem == ExecutableProblem::none) it.detail.clear();
    report(it, ExecutableProblem::interpreter_missing, std::move(detail));
  }

  void examine_script(Executable& it, const ProgramFormat& format, int depth) {
    const std::string& interpreter = format.interpreter;
    if (format.carriage_return) {
      return report_over(it, it.real + ": its first line ends in a carriage return, so that the kernel looks for \"" +
                             interpreter + (format.argument.empty() ? "" : " " + format.argument) + "\": save it with Unix line ends");
    }
    const std::string absolute = path::is_absolute(interpreter) ? interpreter : path::join(context_.directory, interpreter);
    if (interpreter.empty() || !is_executable_file(absolute)) {
      return report_over(it, it.real + " needs " + (interpreter.empty() ? "an interpreter, and names none" : interpreter + ", which does not exist or cannot be executed"));
    }
    if (!is_system_path(absolute)) examine_interpreter(it, absolute, depth);
    const bool is_env = path::name(interpreter) == "env";
    const std::string program = is_env ? program_of_env(format.argument) : program_of_wrapper(it.real, interpreter);
    it.interpreter_program = program;
    if (program.empty()) return;
    if (program.find(' ') != std::string::npos) {
      return report_over(it, it.real + ": env would look for a program called \"" + program + "\": write `env -S`");
    }
    if (!is_env && search(program, "").problem != ExecutableProblem::none) return;  // only looked into, not parsed
    examine_interpreter(it, program, depth);
  }

  void examine_interpreter(Executable& it, const std::string& name, int depth) {
    Executable other = search(name, "");
    if (other.problem != ExecutableProblem::none) {
      return report_over(it, it.real + " needs " + name + ", and " + other.detail);
    }
    if (depth + 1 >= interpreters_max) return report_over(it, it.real + " is run by scripts that are run by scripts");
    examine(other, name, depth + 1);
    if (other.problem != ExecutableProblem::none) report(it, other.problem, it.real + " needs " + name + ": " + other.detail);
    add(std::move(other.needs), it);
    std::move(other.shims.begin(), other.shims.end(), std::back_inserter(it.shims));
    if (!other.chain.empty()) it.chain.insert(it.chain.begin(), other.chain.begin(), other.chain.end() - 1);
  }

  std::string search_path_;
  const ExecutableContext& context_;
  KnownFiles& files_;
  std::string home_;  // links resolved, as everything that is compared with it
};

}  // namespace

Executable find_executable(const std::string& name, const std::string& search_path, const ExecutableContext& context, KnownFiles& files) {
  return Finder(search_path, context, files).find(name);
}

}  // namespace paddock
