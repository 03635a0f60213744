// A user namespace that no process lives in: a mapping of ids, as mount_setattr(2) takes it for idmapped
// mounts.
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace paddock {

// `uids`, `gids`: lines of "INSIDE OUTSIDE COUNT" as in user_namespaces(7); for an idmapped mount, inside
// is the id on disk and outside the id that processes see. Errors: the caller may not map these ids (it
// needs CAP_SETUID and CAP_SETGID over them), or user namespaces are off.
Result<Fd> make_user_namespace(const std::string& uids, const std::string& gids);

}  // namespace paddock
