// Backends that people can name and this version does not have: each says so as its probe's answer.
#pragma once

#include "backend/backend.h"

namespace paddock {

ProbeReport decline_native(const ProbeRequest& request);
ProbeReport decline_landlock(const ProbeRequest& request);
ProbeReport decline_docker(const ProbeRequest& request);
ProbeReport decline_podman(const ProbeRequest& request);
Result<Launch> lower_declined(const LowerRequest& request);

}  // namespace paddock
