// Which file an installed program is, as text for keys of what is kept about it: another text after an update.
#pragma once

#include <string>

#include "plan/host_view.h"

namespace paddock {

// Path, device, inode, size and time of the file itself, by one look. Empty: it cannot be looked at.
std::string program_identity(const Executable& program);

// The same of everything that leads to it: its links and its interpreter's.
std::string chain_identity(const Executable& program);

}  // namespace paddock
