#include "backend/declined.h"

namespace paddock {
namespace {

ProbeReport declined() {
  ProbeReport report;
  report.missing.push_back({"start", "it is not part of this version", {}});
  return report;
}

}  // namespace

ProbeReport decline_native(const ProbeRequest&) { return declined(); }
ProbeReport decline_landlock(const ProbeRequest&) { return declined(); }
ProbeReport decline_docker(const ProbeRequest&) { return declined(); }
ProbeReport decline_podman(const ProbeRequest&) { return declined(); }

Result<Launch> lower_declined(const LowerRequest&) {
  return error(ErrorCode::cannot_start, "this backend is not part of this version", "use --sandbox-type bubblewrap");
}

}  // namespace paddock
