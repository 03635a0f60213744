// A harness described by data: share/harnesses/ID.toml, or the user's own. Lists and templates only;
// nothing here knows how a sandbox is built.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace paddock {

enum class StateClass { state, cache, config };

// An executable part of a state directory: protected, because the host runs it later.
struct CodePath {
  std::string path;  // relative to its state directory
  bool is_directory = false;
  bool hold_absent = false;  // an inert stand-in while absent; otherwise looked at after the run
  std::string content;       // of a stand-in file
};

struct StatePath {
  std::string path;      // "~/.claude"
  std::string override;  // variable that moves it; its host value wins
  bool exported = false; // the variable is set inside to the resolved path
  StateClass state_class = StateClass::state;
  bool create = true;    // created 0700 on the host when absent
  std::vector<std::string> secrets;  // names inside
  std::vector<CodePath> code;
};

// A file created in a state directory before a run if it is absent.
struct SeedFile {
  std::string path;     // "{state}/x": the first state directory
  std::string content;
  std::string from;     // a host file copied instead, if it exists
};

// Words that go into the command line when the launch is confined.
struct Addition {
  std::vector<std::string> words;
  std::vector<std::string> suppressed_by;  // not added if the user gave one of these
  // Placed right after the first of these sub-command words if it is the first non-option argument,
  // else before everything. Empty: before everything.
  std::vector<std::string> after_subcommands;
  // Added only when the first non-option argument is one of these (with "" for none); empty: always.
  std::vector<std::string> only_subcommands;
};

struct HelpCheck {  // which help text must list which flags
  std::vector<std::string> command;
  std::vector<std::string> flags;
};

struct Manifest {
  std::string id = "generic";
  std::string display = "command";
  std::vector<std::string> bins;  // empty: the command is the user's own
  bool hosted_model = false;
  std::vector<Addition> skip_permissions;
  std::vector<Addition> inner_sandbox_off;
  std::vector<HelpCheck> help;
  std::map<std::string, std::string> environment_set;  // values may use {home} and {state}
  std::vector<std::string> environment_pass;
  std::vector<StatePath> state;
  std::vector<SeedFile> seeds;
  std::map<std::string, std::vector<std::string>> arguments;  // "continue", "resume", "oneshot": for later commands
  std::string origin;  // "share/harnesses/claude.toml" or the user's file
};

// `text` is TOML; `where` names it in errors. Unknown keys are errors with line and suggestion.
Result<Manifest> read_manifest(std::string_view text, std::string_view where);

// The user's arguments with the additions that apply.
std::vector<std::string> with_additions(const std::vector<Addition>& additions, const std::vector<std::string>& arguments);

}  // namespace paddock
