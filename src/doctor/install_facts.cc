#include <sys/stat.h>
#include <unistd.h>

#include "base/ask_program.h"
#include "base/path.h"
#include "base/text.h"
#include "doctor/gather.h"

namespace paddock::doctor {
namespace {

// Of the file itself and its directory; what lies above is the distribution's.
bool is_open_to_others(const std::string& program) {
  constexpr mode_t by_others = S_IWOTH;
  for (const std::string& place : {program, path::parent(program)}) {
    struct stat status {};
    if (::stat(place.c_str(), &status) != 0) continue;
    const bool is_sticky = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
    if ((status.st_mode & by_others) != 0 && !is_sticky) return true;
  }
  return false;
}

}  // namespace

InstallFacts install_facts(const InstallPlaces& places) {
  InstallFacts facts;
  facts.program = places.program;
  facts.version = places.version;
  facts.warden = places.warden;
  facts.has_warden = ::access(places.warden.c_str(), F_OK) == 0;
  facts.is_in_workspace = !places.workspace.empty() && path::is_within(places.program, places.workspace);
  facts.is_open_to_others = is_open_to_others(places.program) || is_open_to_others(places.warden);
  if (!facts.has_warden) return facts;
  AskRequest request;
  request.program = places.warden;
  request.arguments = {"--version"};
  request.timeout_ms = program_timeout_ms;
  const Result<Asked> asked = ask_program(request);
  if (!asked) facts.warden_problem = asked.failure().message;
  else if (asked->status != 0) facts.warden_problem = "it ends with an error when it is asked for its version";
  else facts.warden_said = asked->said;
  return facts;
}

}  // namespace paddock::doctor
