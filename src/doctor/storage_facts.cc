#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include <fmt/core.h>

#include "base/fd.h"
#include "base/path.h"
#include "doctor/gather.h"

namespace paddock::doctor {
namespace {

struct KnownType {
  unsigned long number;  // statfs(2)
  std::string_view name;
};

constexpr KnownType known_types[] = {
    {0xEF53, "ext4"},       {0x9123683E, "btrfs"},  {0x58465342, "xfs"},   {0x01021994, "tmpfs"}, {0x794c7630, "overlay"}, {0x6969, "nfs"},     {0xFF534D42, "cifs"},
    {0xFE534D42, "smb2"},   {0x01021997, "9p"},     {0x65735546, "fuse"},  {0x2FC12FC1, "zfs"},   {0xF2F52010, "f2fs"},    {0x00C36400, "ceph"}, {0x5346414F, "afs"},
    {0xF15F, "ecryptfs"},   {0x73717368, "squashfs"}, {0xCA451A4E, "bcachefs"}, {0x3434, "nilfs"},
};

std::string name_of_type(unsigned long number) {
  const auto* known = std::ranges::find(known_types, number & 0xFFFFFFFFul, &KnownType::number);
  return known == std::end(known_types) ? fmt::format("type 0x{:x}", number & 0xFFFFFFFFul) : std::string(known->name);
}

// A file without a name goes by itself; where the file system has none of those, one with a name is removed again.
int try_to_write(const std::string& directory) {
  const Fd unnamed(::open(directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
  if (unnamed.valid()) return 0;
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT) return errno;
  const std::string named = path::join(directory, fmt::format(".paddock-doctor-{}", ::getpid()));
  const Fd file(::open(named.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.valid()) return errno;
  ::unlink(named.c_str());
  return 0;
}

}  // namespace

DirectoryFacts directory_facts(std::string role, std::string path) {
  DirectoryFacts facts;
  facts.role = std::move(role);
  facts.path = std::move(path);
  facts.asked = facts.path;
  struct stat status {};
  while (::stat(facts.asked.c_str(), &status) != 0) {
    if (facts.asked == "/" || errno == EACCES) {
      facts.error = errno;
      break;
    }
    facts.asked = path::parent(facts.asked);
  }
  facts.exists = facts.asked == facts.path && facts.error == 0;
  facts.owner = status.st_uid;
  facts.mode = status.st_mode & 07777;
  if (facts.error == 0) facts.error = S_ISDIR(status.st_mode) ? try_to_write(facts.asked) : ENOTDIR;
  struct statvfs space {};
  struct statfs type {};
  if (::statvfs(facts.asked.c_str(), &space) == 0) {
    facts.bytes_free = static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize;
    facts.files_free = space.f_favail;
    facts.counts_files = space.f_files != 0;
    facts.refuses_programs = (space.f_flag & ST_NOEXEC) != 0;
  }
  facts.file_system = ::statfs(facts.asked.c_str(), &type) == 0 ? name_of_type(static_cast<unsigned long>(type.f_type)) : "unknown";
  return facts;
}

}  // namespace paddock::doctor
