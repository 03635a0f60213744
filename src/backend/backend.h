// A backend: a row of functions over plain values. `probe` looks at the machine, `lower` is pure.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/launch.h"
#include "base/result.h"
#include "plan/guarantee.h"
#include "plan/plan.h"

namespace paddock {

struct Missing {
  std::string what;  // a guarantee's name, or "start" when nothing can be started at all
  std::string why;
  std::string fix;   // one command or setting for this machine; may be empty
};

struct ProbeReport {
  bool available = false;
  std::string program;  // absolute; empty when there is none
  FileIdentity program_identity;
  FileChange program_change;
  std::string version;
  int landlock_abi = 0;
  Guarantees held;
  std::vector<Missing> missing;
  std::vector<std::string> warnings;  // about programs that were passed over and should not be as they are; for people
};

// A program that Paddock ships and knows the checksum of.
struct ShippedProgram {
  std::string path;    // absolute; empty: none is shipped
  std::string sha256;  // of the file, 64 hexadecimal digits
};

// Where the sources of a plan lie instead, when the launcher has put them on a stage (sandbox/stage.h).
struct StagedSources {
  std::vector<std::string> binds;  // as many as the plan has mounts; of other kinds unused
  std::string empty_file;
};

struct LowerRequest {
  const Plan* plan = nullptr;
  const ProbeReport* probe = nullptr;
  std::string empty_file;  // a host file of zero bytes, the source of file masks
  const StagedSources* staged = nullptr;  // needed by a plan whose kernel uid is dropped
  // Values of the host's and the given variables, for backends that start without a warden.
  std::vector<std::string> environment;
  std::string search_path;
};

struct ProbeSettings {
  std::string program;           // [backends.bubblewrap] program; empty: the shipped one, or found on PATH
  unsigned probe_timeout_s = 5;  // 1 to 30
};

// What can hold the limits of one plan beside the backend (control groups), looked for only when it has some.
struct LimitSupport {
  Guarantees held;
  std::string why;  // of those that are not held; empty: not looked for
  std::string fix;
};

struct ProbeRequest {
  ProbeSettings settings;
  ShippedProgram shipped;       // of the backend
  std::string search_path;      // the host's PATH
  std::string warden;           // absolute path of the warden's program
  std::string cache_directory;  // of positive results; empty: none
  bool real_root = false;
  LimitSupport limits;
  const Guarantees* wanted = nullptr;  // of the plan that is to start; null: everything is looked at
  // Lowers the plan of `lower` and starts it with a brief that only checks; returns the Landlock ABI. Given
  // by the caller, so that the one way to start a sandbox stays in the sandbox layer. Times out by itself.
  std::function<Result<int>(LowerRequest lower, Result<Launch> (*by)(const LowerRequest&), unsigned timeout_s)> run;
};

struct Backend {
  std::string_view name;
  ProbeReport (*probe)(const ProbeRequest&);
  Result<Launch> (*lower)(const LowerRequest&);
};

// The visible table, in the order in which `auto` takes them.
std::span<const Backend> backends();
const Backend* backend_named(std::string_view name);
std::vector<std::string> backend_names();  // with "auto" first

// What of the plan this report does not hold, with why and the fix.
std::vector<Missing> unmet(const Plan& plan, const ProbeReport& report);

}  // namespace paddock
