#include "sandbox/detached_tree.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <optional>
#include <vector>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "sandbox/mount_list.h"

namespace paddock {
namespace {

constexpr unsigned recursive = 0x8000;  // AT_RECURSIVE of linux/fcntl.h, which clashes with <fcntl.h>
constexpr auto as_another = "start as an ordinary user, or let the payload be root to the kernel: --without kernel_uid_unprivileged";

Result<mount_attr> attributes_of(const TreeRequest& request) {
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  if (request.access == MountAccess::read_only) attributes.attr_set |= MOUNT_ATTR_RDONLY;
  attributes.propagation = MS_PRIVATE;
  if (request.maps == nullptr) return attributes;
  const struct stat& status = request.source->status;
  attributes.attr_set |= MOUNT_ATTR_IDMAP;
  attributes.userns_fd = static_cast<__u64>(TRY(request.maps->for_owner(status.st_uid, status.st_gid).context(visible(*request.path) + " cannot be idmapped")));
  return attributes;
}

// 0, or errno.
int change(int tree, mount_attr attributes, unsigned how) {
  return ::mount_setattr(tree, "", AT_EMPTY_PATH | how, &attributes, sizeof attributes) == 0 ? 0 : errno;
}

bool can_be_changed(const std::string& mount_point, const mount_attr& attributes) {
  const Fd tree(::open_tree(AT_FDCWD, mount_point.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC));
  return tree.valid() && change(tree.get(), attributes, 0) == 0;
}

// The mount that refused: the one that holds the tree's root, or one below it.
std::optional<MountPoint> culprit_of(const std::string& path, const mount_attr& attributes) {
  const auto mounts = list_mounts();
  if (!mounts) return std::nullopt;
  const MountPoint* holder = holder_of(*mounts, path);
  if (holder != nullptr && !can_be_changed(path, attributes)) return *holder;
  for (const MountPoint& mount : *mounts) {
    if (path::is_within(mount.path, path) && mount.path != path && !can_be_changed(mount.path, attributes)) return mount;
  }
  return std::nullopt;
}

Error refusal(const TreeRequest& request, const mount_attr& attributes, int number) {
  const std::string path = visible(*request.path);
  if (request.maps == nullptr) return system_error("the mount of " + path + " cannot be made private", number);
  const auto culprit = culprit_of(*request.path, attributes);
  std::string what = path;
  if (culprit && culprit->path == *request.path) {
    what += fmt::format(" ({})", visible(culprit->type));
  } else if (culprit) {
    const std::string mount = fmt::format("{} ({})", visible(culprit->path), visible(culprit->type));
    what += path::is_within(culprit->path, *request.path) ? fmt::format(", with {} below it,", mount) : fmt::format(", on {},", mount);
  }
  const std::string why = number == EPERM ? "it is idmapped already" : number == EINVAL ? "that file system has no idmapped mounts" : std::string(system_error("it refuses", number).message);
  return error(ErrorCode::cannot_start, fmt::format("{} cannot be idmapped, and the payload is not to be root to the kernel: {}", what, why),
               fmt::format("keep it on a file system that can be idmapped (ext4, xfs, btrfs, tmpfs), {}", as_another));
}

}  // namespace

Result<FoundSource> find_source(const std::string& path, const FileIdentity& recorded) {
  FoundSource found;
  found.place = Fd(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!found.place.valid() || ::fstat(found.place.get(), &found.status) != 0) return system_error("cannot open " + visible(path), errno);
  const FileIdentity identity{static_cast<std::uint64_t>(major(found.status.st_dev)) << 32 | minor(found.status.st_dev), found.status.st_ino};
  if (recorded == FileIdentity{} || recorded == identity) return found;
  return error(ErrorCode::cannot_start, fmt::format("the sandbox is not as planned: {} changed while the sandbox was made", visible(path)), "start again");
}

Error lacks_admin() {
  return error(ErrorCode::cannot_start,
               "root may not make idmapped mounts here (no CAP_SYS_ADMIN over the machine, as in containers and in user namespaces), and the payload is not to be root to the kernel", as_another);
}

Result<Fd> detach_tree(const TreeRequest& request) {
  Fd tree(::open_tree(request.source->place.get(), "", AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | recursive));
  if (!tree.valid()) {
    const int number = errno;
    return number == EPERM ? lacks_admin() : system_error("cannot take the mount of " + visible(*request.path), number);
  }
  const mount_attr attributes = TRY(attributes_of(request));
  if (const int number = change(tree.get(), attributes, recursive); number != 0) return refusal(request, attributes, number);
  return tree;
}

}  // namespace paddock
