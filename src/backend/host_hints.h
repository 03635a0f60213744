// Why a sandbox could not be started on this machine, and what changes that, read from the kernel's
// own settings and the distribution's name. Used when a probe has failed, never on the warm path.
#pragma once

#include <string>

#include "backend/backend.h"

namespace paddock {

// "apt install bubblewrap" or the like, by /etc/os-release; all three forms when it is unknown.
std::string install_hint(std::string_view package);

// The first host setting that explains a refused namespace; `said` is the launcher's own message.
Missing explain_refusal(std::string_view said);

}  // namespace paddock
