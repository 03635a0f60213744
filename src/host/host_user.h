// Who runs us, from the kernel and the two account files; no NSS, for the program is static. A user
// whom only a directory service knows counts as one without an entry.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/host_view.h"

namespace paddock {

// One line of passwd(5).
struct AccountEntry {
  std::string name;
  std::string home;
  std::string shell;
  friend bool operator==(const AccountEntry&, const AccountEntry&) = default;
};

// The first entry of that uid; lines that are not seven fields are skipped.
std::optional<AccountEntry> find_account(std::string_view passwd, uid_t uid);

struct GroupNames {
  std::string own;                    // of `gid`; empty without an entry
  std::vector<std::string> powerful;  // those of `supplementary` (and `gid`) that amount to more than a user
};
GroupNames find_groups(std::string_view group, gid_t gid, const std::vector<gid_t>& supplementary);

// True for the content of uid_map of the initial user namespace (user_namespaces(7)): everything is itself.
bool is_identity_map(std::string_view uid_map);

// What the kernel says of the caller, and what the caller's environment says.
struct UserFacts {
  uid_t uid = 0;
  gid_t gid = 0;
  std::vector<gid_t> supplementary;
  std::string home;   // $HOME as it stands
  std::string shell;  // $SHELL as it stands
};

struct UserFiles {
  std::string passwd = "/etc/passwd";
  std::string group = "/etc/group";
  std::string uid_map = "/proc/self/uid_map";
  std::string of_the_kernel = "/proc";  // belongs to the kernel's uid 0
};

// Whether uid 0 is the kernel's uid 0: always in the initial user namespace, and in another one where that
// maps to 0 (root's own `unshare -r`), told by whose the root of the procfs is. What cannot be read counts
// as yes.
bool is_kernel_root(uid_t uid, const UserFiles& files);

// Never fails: every part has a fallback (see HostUser).
HostUser describe_user(const UserFacts& facts, const UserFiles& files = {});
UserFacts ask_kernel_for_user(std::string home, std::string shell);

}  // namespace paddock
