// One tree of the host as a mount that is attached nowhere yet: read-only or not, without set-user-id and
// devices, idmapped or not, cut off from mounts that the host makes later.
#pragma once

#include <sys/stat.h>

#include <string>

#include "base/fd.h"
#include "base/file.h"
#include "base/result.h"
#include "plan/plan.h"
#include "sandbox/idmap.h"

namespace paddock {

// The file or directory that a mount is to show, found once.
struct FoundSource {
  Fd place;  // O_PATH
  struct stat status {};
};

// Errors: absent; not the file that was recorded in the plan (an all-zero identity is none).
Result<FoundSource> find_source(const std::string& path, const FileIdentity& recorded);

struct TreeRequest {
  const std::string* path = nullptr;  // for words
  const FoundSource* source = nullptr;
  MountAccess access = MountAccess::read_only;
  IdMaps* maps = nullptr;  // null: not idmapped
};

// For a caller who is root and may not do what takes CAP_SYS_ADMIN in the initial user namespace.
Error lacks_admin();

// Mounts below it come along, under the same terms. Errors: the caller lacks CAP_SYS_ADMIN; a file system
// in the tree that cannot be idmapped, by name, with the fix (mount_setattr(2): it has to say that it can,
// and not be idmapped already).
Result<Fd> detach_tree(const TreeRequest& request);

}  // namespace paddock
