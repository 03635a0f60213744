// What every command is given: the process's surroundings, read once at the edge.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/directories.h"
#include "host/real_host.h"

namespace paddock {

struct Context {
  std::map<std::string, std::string> environment;
  std::string directory;    // the current one, real
  std::string warden;       // absolute path of paddock-warden
  std::string own_program;  // absolute path of this program
  Directories directories;
  RealHost* host = nullptr;
  std::vector<std::string>* linked_settings = nullptr;  // where settings that were read through a link lie; never null in a command
  bool colour = false;      // on stderr
};

}  // namespace paddock
