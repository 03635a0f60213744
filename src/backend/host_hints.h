// Why a sandbox could not be started on this machine, and what changes that, read from the kernel's
// own settings and the distribution's name. Used when a probe has failed, never on the warm path.
#pragma once

#include <string>

#include "backend/backend.h"

namespace paddock {

// "sudo apt install bubblewrap | …" with dnf and pacman, this distribution's own first (/etc/os-release).
std::string install_hint(std::string_view package);

// The first host setting that explains a refused namespace; `said` is the launcher's own message.
Missing explain_refusal(std::string_view said);

}  // namespace paddock
