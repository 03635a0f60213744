// A name in a directory that was reached without following any link: how a path is touched that
// somebody else may have changed since it was last looked at.
#pragma once

#include <string>

#include "base/fd.h"

namespace paddock {

struct Place {
  Fd parent;         // O_PATH; not valid when the parent is absent or behind a link
  std::string name;  // last component
  std::string link;  // the first component that is a link, absolute; empty when there is none
};

// `path` is absolute and normal. Never follows a link; the last component is not looked at.
Place open_place(const std::string& path);

// As open(2) with close-on-exec, but not valid (errno ELOOP) when any component is a link, the last one too.
// `path` is absolute and normal. A kernel before 5.6 is asked component by component.
Fd open_without_links(const std::string& path, int flags);

}  // namespace paddock
