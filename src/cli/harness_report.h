// What `harness list`, `show` and `check` have to tell, as values; then in words and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/harness_facts.h"
#include "harness/catalogue.h"

namespace paddock {

struct HarnessRow {
  std::string id;
  std::string display;
  std::string origin;     // "share/harnesses/x.toml" or the user's file
  std::string installed;  // where its program was found; empty: nowhere
  std::string problem;    // of a file that cannot be read; then the others are empty
};

struct HarnessCheck {
  const Manifest* harness = nullptr;
  HarnessProgram program;
  VersionFacts version;
  FlagFacts flags;
  std::vector<StateFacts> state;
  LoginFacts login;
  std::vector<std::string> problems;  // why the answer is no; empty: it is yes
  std::vector<std::string> notes;     // worth saying, and no reason for a no
};

std::string list_in_words(const std::vector<HarnessRow>& rows);
std::string list_as_json(const std::vector<HarnessRow>& rows);
std::string manifest_in_words(const Manifest& harness);
std::string manifest_as_json(const Manifest& harness);
std::string check_in_words(const HarnessCheck& check);
std::string check_as_json(const HarnessCheck& check);
// Of several: `checks` are check_as_json's and unreadable_as_json's.
std::string checks_as_json(const std::vector<std::string>& checks);
std::string unreadable_as_json(const std::string& id, const std::string& problem);

}  // namespace paddock
