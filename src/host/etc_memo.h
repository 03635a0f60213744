// What the last view of /etc was made from, kept beside the views, so that a start need not list anything to
// find it again: a directory whose times are as they were holds the same names (inode(7)), and each file is
// looked at. Who can write the file can write the views.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <vector>

namespace paddock {

struct EtcSource {
  std::string name;  // below /etc; "." is /etc itself
  struct stat status {};  // not followed
};

// `request` names what was asked for, without spaces. The name of the view, if everything that it was made
// from is as it was.
std::optional<std::string> recall_etc_view(const std::string& memo, const std::string& request, const std::string& etc);

// Keeps it, unless something changed so shortly before `now` (seconds since 1970) that another change might
// not show in its times. A failure is none: the next start looks at everything.
void remember_etc_view(const std::string& memo, const std::string& request, const std::string& view,
                       const std::vector<EtcSource>& sources, std::int64_t now);

}  // namespace paddock
