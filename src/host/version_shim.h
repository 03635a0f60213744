// Version managers put stand-ins ("shims") on PATH that find the program to run only when they run.
// What can be worked out from files is worked out here; no manager is started.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace paddock {

struct ShimQuestion {
  std::string found;      // as found on PATH
  std::string real;       // the same, links resolved
  std::string name;       // of the command
  std::string directory;  // the current one: version files are looked for from there upwards
  std::string home;       // and there
  const std::map<std::string, std::string>* environment = nullptr;  // outlives the call
};

enum class ShimState { none, resolved, unresolved, elsewhere };

// resolved: `program` is what the shim runs. elsewhere: the rest of PATH decides ("system").
// unresolved: `problem` says why and what to do; `roots` may let the shim itself work.
struct ShimAnswer {
  ShimState state = ShimState::none;
  std::string program;
  std::string problem;
  std::vector<std::string> roots;
};

ShimAnswer resolve_shim(const ShimQuestion& question);

}  // namespace paddock
