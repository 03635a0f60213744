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

// Is `directory` where it is without any XDG variable? Only there does every sandbox of this user hide it.
enum class OwnDirectory { usual, moved };
OwnDirectory kind_of_directory(const std::string& directory, const std::string& home);

Directories directories_of(const std::map<std::string, std::string>& environment, const std::string& home);

}  // namespace paddock
