// The directory that sandboxes see as /etc: private copies of the small harmless files of the host's,
// made once and kept under a name that is a digest of what every source was when it was copied.
#pragma once

#include <string>

#include "base/result.h"
#include "host/known_files.h"
#include "plan/host_view.h"

namespace paddock {

// `state_directory` is Paddock's own; the view lies in its "etc" folder, mode 0755 inside a 0700 one.
// Found again by one look at each source (host/etc_memo.h); copies only when the digest is new. Copies are of regular
// files up to 1 MiB that everybody may read, and of links as they are; nothing is followed out of /etc.
Result<std::string> make_etc_view(const EtcRequest& request, const std::string& etc, const std::string& state_directory, KnownFiles& files);

}  // namespace paddock
