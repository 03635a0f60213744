#include "cli/directories.h"

#include "base/path.h"

namespace paddock {

Directories directories_of(const std::map<std::string, std::string>& environment, const std::string& home) {
  const auto place = [&](const char* variable, const char* usual) {
    const auto set = environment.find(variable);
    const bool is_usable = set != environment.end() && path::is_absolute(set->second);
    return path::join(is_usable ? path::normal(set->second) : path::join(home, usual), "paddock");
  };
  return {place("XDG_CONFIG_HOME", ".config"), place("XDG_DATA_HOME", ".local/share"), place("XDG_STATE_HOME", ".local/state"),
          place("XDG_CACHE_HOME", ".cache")};
}

OwnDirectory kind_of_directory(const std::string& directory, const std::string& home) {
  const Directories usual = directories_of({}, home);
  const bool is_one = directory == usual.config || directory == usual.data || directory == usual.state || directory == usual.cache;
  return is_one ? OwnDirectory::usual : OwnDirectory::moved;
}

}  // namespace paddock
