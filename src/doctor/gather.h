// Asking the machine, one function for each group of facts. They look, and start programs of the host's with a
// limit on time; what has to do with backends and agents the caller asks, who knows how they are started.
#pragma once

#include <map>
#include <string>

#include "doctor/facts.h"
#include "plan/plan.h"

namespace paddock::doctor {

inline constexpr unsigned program_timeout_ms = 2000;  // of each program that is asked

using Environment = std::map<std::string, std::string>;

// PATH without what depends on the current directory: programs of a project are never run from here.
std::string absolute_search_path(const Environment& environment);
std::string variable(const Environment& environment, const char* name);  // empty when it is not set

KernelFacts kernel_facts();
NamespaceTrials namespace_trials();

// `directory` is the current one.
GitSurroundings git_surroundings(const HostView& host, const Environment& environment, const std::string& directory);

TerminalFacts terminal_facts(const HostView& host, const Environment& environment);

// A place that Paddock keeps things in; `role` names it.
DirectoryFacts directory_facts(std::string role, std::string path);

// `plan`: a default sandbox, which says what is visible and passed; without one nothing is.
NetworkFacts network_facts(const HostView& host, const Environment& environment, const Plan* plan);

struct InstallPlaces {
  std::string program;
  std::string version;
  std::string warden;
  std::string workspace;  // of the current directory; empty: none
};
InstallFacts install_facts(const InstallPlaces& places);

}  // namespace paddock::doctor
