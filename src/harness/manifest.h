// A harness described by data: share/harnesses/ID.toml, or the user's own. Lists and templates only;
// nothing here knows how a sandbox is built.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/toml_document.h"

namespace paddock {

enum class StateClass { state, cache, config };
enum class StateAccess { read_write, read_only };
enum class CodeInside { protected_part, private_directory };  // read-only, or an empty one of this run over it

// An executable part of a state directory: protected, because the host runs it later.
struct CodePath {
  std::string path;  // relative to its state directory; may be a pattern where it is not held
  bool is_directory = false;
  bool hold_absent = false;  // an inert stand-in while absent; otherwise looked at after the run
  std::string content;       // of a stand-in file
  CodeInside inside = CodeInside::protected_part;
  friend bool operator==(const CodePath&, const CodePath&) = default;
};

// A file that has to stay writable, the keys whose change is told after the run, and those that are put back.
struct WatchedFile {
  std::string path;  // relative to its state directory
  std::string format;  // "json"
  std::vector<std::string> keys;  // "projects.*.mcpServers": `*` stands for every name
  std::vector<std::string> restore{};  // the same; "*[type=x]": only objects with that member
  friend bool operator==(const WatchedFile&, const WatchedFile&) = default;
};

struct StatePath {
  std::string path;      // "~/.claude"
  std::string override;  // variable that moves it; its host value wins
  std::string override_child;  // the directory's name below that variable's value; empty: the value itself
  bool exported = false; // the variable is set inside, always: to the resolved path (its parent with override_child)
  bool exported_if_moved = false;  // the same, but only where the host has it set
  StateClass state_class = StateClass::state;
  StateAccess access = StateAccess::read_write;
  bool create = true;    // created 0700 on the host when absent
  std::vector<std::string> secrets;  // names inside
  std::vector<CodePath> code;
  std::vector<std::string> data;         // other names inside, patterns allowed
  std::vector<std::string> transcripts;  // the same; a name in no list counts as code
  std::vector<WatchedFile> watch;
  friend bool operator==(const StatePath&, const StatePath&) = default;
};

// A file created in a state directory before a run if it is absent.
struct SeedFile {
  std::string path;     // "{state}/x": the first directory of class "state"
  std::string content;
  std::string from;     // a host file copied instead, if it exists
  friend bool operator==(const SeedFile&, const SeedFile&) = default;
};

// Words that go into the command line when the launch is confined.
struct Addition {
  std::vector<std::string> words{};  // may hold {directory} and {directory:toml}: see at_directory
  std::vector<std::string> suppressed_by{};  // not added if the user gave one of these, as "x" or "x=..."
  // Placed right after the first of these sub-command words if it is the first non-option argument,
  // else before everything. Empty: before everything.
  std::vector<std::string> after_subcommands{};
  // Added only when the first non-option argument is one of these (with "" for none); empty: always.
  std::vector<std::string> only_subcommands{};
  std::vector<std::string> never_subcommands{};   // not added when it is one of these
  std::vector<std::string> options_with_value{};  // the word after one of these is no sub-command
  friend bool operator==(const Addition&, const Addition&) = default;
};

// How a person signs in. What is kept of it is in the `secrets` of the state directories.
struct Login {
  std::vector<std::string> variables;  // any of these, set on the host, is a login
  std::vector<std::string> command;    // the arguments that sign in; empty: none is known
  friend bool operator==(const Login&, const Login&) = default;
};

struct HelpCheck {  // which help text must list which flags
  std::vector<std::string> command;
  std::vector<std::string> flags;
  friend bool operator==(const HelpCheck&, const HelpCheck&) = default;
};

// The question that the program answers in a new kind of sandbox before its first run there.
struct Preflight {
  std::vector<std::string> arguments{"--version"};  // none: it is not asked
  unsigned timeout_s = 30;  // 1 to 300
  friend bool operator==(const Preflight&, const Preflight&) = default;
};

struct Manifest {
  std::string id = "generic";
  std::string display = "command";
  std::string homepage;
  std::vector<std::string> tested;  // versions that this file was checked with; empty: written from documents
  std::vector<std::string> bins;  // empty: the command is the user's own
  bool hosted_model = false;
  std::vector<Addition> skip_permissions;
  std::vector<Addition> inner_sandbox_off;
  std::vector<Addition> confined;  // added whenever the launch is confined
  std::vector<HelpCheck> help;
  Preflight preflight;
  std::map<std::string, std::string> environment_set;  // values may use {home} and {state}
  std::map<std::string, std::string> environment_skip;  // the same, where permissions are skipped
  std::vector<std::string> environment_pass;
  std::vector<StatePath> state;
  Login login;
  std::vector<SeedFile> seeds;
  std::map<std::string, std::vector<std::string>> arguments;  // "continue", "resume", "oneshot", ...: for later commands
  std::string origin;  // "share/harnesses/claude.toml" or the user's file
  friend bool operator==(const Manifest&, const Manifest&) = default;
};

// `where` names the file in errors. Unknown keys are errors with line and suggestion.
Result<Manifest> read_manifest(const TomlInput& text, std::string_view where);

// The addition with {directory} replaced by the working directory and {directory:toml} by the same
// as a quoted TOML string.
Addition at_directory(Addition addition, std::string_view directory);

// The user's arguments with the additions that apply, which stand together and in their order.
std::vector<std::string> with_additions(const std::vector<Addition>& additions, const std::vector<std::string>& arguments);

}  // namespace paddock
