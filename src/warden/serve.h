// The warden's life: check, offer, wait for go, run, reap, report, end.
#pragma once

namespace paddock::warden {

// Called once, as pid 1 of the sandbox, with the descriptors of descriptors.h open. Returns the
// exit code of the process: 0 when everything was reported, 1 when the other end had gone.
int serve();

}  // namespace paddock::warden
