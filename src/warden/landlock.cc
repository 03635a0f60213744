#include "warden/landlock.h"

#include <linux/fcntl.h>

#include "sys/calls.h"

namespace paddock::warden {
namespace {

using namespace protocol;

// From linux/landlock.h of ABI 7; Debian's headers stop at ABI 2.
constexpr U64 right_execute = 1 << 0, right_write_file = 1 << 1, right_read_file = 1 << 2, right_read_dir = 1 << 3;
constexpr U64 right_truncate = 1 << 14, right_ioctl_dev = 1 << 15;
constexpr U64 rights_abi_1 = (1 << 13) - 1, rights_abi_2 = (1 << 14) - 1;
constexpr U64 rights_abi_3 = rights_abi_2 | right_truncate, rights_abi_5 = rights_abi_3 | right_ioctl_dev;
constexpr U64 read_rights = right_execute | right_read_file | right_read_dir;
constexpr U64 file_rights = right_execute | right_write_file | right_read_file | right_truncate | right_ioctl_dev;
constexpr U64 scope_abstract_unix_socket = 1, scope_signal = 2;

struct RulesetAttributes {
  U64 handled_access_fs = 0;
  U64 handled_access_net = 0;  // ABI 4
  U64 scoped = 0;              // ABI 6
};

struct __attribute__((packed)) PathBeneath {
  U64 allowed_access;
  int parent_fd;
};

U64 rights_of(int abi) {
  if (abi >= 5) return rights_abi_5;
  if (abi >= 3) return rights_abi_3;
  return abi == 2 ? rights_abi_2 : rights_abi_1;
}

// The kernel takes a prefix of the structure (extensible by size).
unsigned long size_of(int abi) { return abi >= 6 ? 24 : abi >= 4 ? 16 : 8; }

int add_grant(int ruleset, const char* path, U64 rights) {
  const sys::Word place = sys::open(path, O_PATH | O_CLOEXEC);
  if (place < 0) return static_cast<int>(-place);
  struct statx status;
  sys::Word failed = sys::statx(static_cast<int>(place), "", sys::at_empty_path, STATX_TYPE, status);
  if (failed == 0) {
    const bool is_directory = (status.stx_mode & 0170000) == 0040000;
    const PathBeneath rule{is_directory ? rights : rights & file_rights, static_cast<int>(place)};
    failed = sys::landlock_add_rule(ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule);
  }
  sys::close(static_cast<int>(place));
  return static_cast<int>(-failed);
}

}  // namespace

Landlock make_landlock(const void* mapped, const Brief& brief) {
  const sys::Word abi = sys::landlock_create_ruleset(nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (abi <= 0) return {};
  Landlock landlock{-1, static_cast<int>(abi), 0};
  RulesetAttributes attributes;
  if ((brief.flags & brief_landlock_paths) != 0) attributes.handled_access_fs = rights_of(landlock.abi);
  if ((brief.flags & brief_landlock_scopes) != 0 && abi >= 6) attributes.scoped = scope_abstract_unix_socket | scope_signal;
  if ((attributes.handled_access_fs | attributes.scoped) == 0) return landlock;

  const sys::Word ruleset = sys::landlock_create_ruleset(&attributes, size_of(landlock.abi), 0);
  if (ruleset < 0) return {-1, landlock.abi, static_cast<int>(-ruleset)};
  landlock.ruleset = static_cast<int>(ruleset);
  if (attributes.handled_access_fs == 0) return landlock;
  const Grant* grants = table<Grant>(mapped, brief.grants);
  for (unsigned i = 0; i < brief.grants.count && landlock.number == 0; ++i) {
    const U64 rights = grants[i].access == Access::write ? attributes.handled_access_fs : read_rights;
    landlock.number = add_grant(landlock.ruleset, text(mapped, grants[i].path), rights);
  }
  return landlock;
}

}  // namespace paddock::warden
