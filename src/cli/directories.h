// Where Paddock keeps things: the XDG directories. Relative values of the variables are ignored, as the
// specification says (XDG Base Directory Specification 0.8).
#pragma once

#include <map>
#include <string>

namespace paddock {

struct Directories {
  std::string config;  // $XDG_CONFIG_HOME/paddock
  std::string data;
  std::string state;
  std::string cache;
};

Directories directories_of(const std::map<std::string, std::string>& environment, const std::string& home);

}  // namespace paddock
