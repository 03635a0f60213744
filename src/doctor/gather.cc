#include "doctor/gather.h"

#include "base/path.h"
#include "base/text.h"

namespace paddock::doctor {

std::string variable(const Environment& environment, const char* name) {
  const auto found = environment.find(name);
  return found == environment.end() ? std::string() : found->second;
}

std::string absolute_search_path(const Environment& environment) {
  std::vector<std::string> entries;
  for (std::string& entry : split(variable(environment, "PATH"), ':')) {
    if (path::is_absolute(entry)) entries.push_back(std::move(entry));
  }
  return entries.empty() ? "/usr/local/bin:/usr/bin:/bin" : join(entries, ":");
}

}  // namespace paddock::doctor
