#include "sandbox/stage.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <tuple>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "sandbox/detached_tree.h"
#include "sandbox/idmap.h"
#include "sandbox/mount_list.h"

namespace paddock {

namespace {

// In the file system itself, open to all that see it.
Result<Fd> listen_in(int file_system, const std::string& name) {
  constexpr int waiting_max = 64;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  fmt::format_to_n(address.sun_path, sizeof address.sun_path - 1, "/proc/self/fd/{}/{}", file_system, name);
  Fd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const bool listens = listener.valid() && ::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
                       ::fchmodat(file_system, name.c_str(), 0666, 0) == 0 && ::listen(listener.get(), waiting_max) == 0;
  if (listens) return listener;
  return system_error("cannot make a socket in the place of the SSH agent's", errno);
}

// Shown from the backend's own view: no file of anybody's, and the kernel numbers what lies there anew.
bool is_of_the_kernel(const std::string& source) { return path::is_within(source, "/proc"); }

// Empty, root's, and only to be walked through by others.
Result<Fd> make_file_system() {
  const Fd context(::fsopen("tmpfs", FSOPEN_CLOEXEC));
  const bool is_made = context.valid() && ::fsconfig(context.get(), FSCONFIG_SET_STRING, "mode", "0711", 0) == 0 &&
                       ::fsconfig(context.get(), FSCONFIG_SET_STRING, "size", "4M", 0) == 0 && ::fsconfig(context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) == 0;
  Fd mount(is_made ? ::fsmount(context.get(), FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC) : -1);
  if (mount.valid()) return mount;
  return errno == EPERM ? lacks_admin() : system_error("cannot make a file system in memory for the sources of the sandbox", errno);
}

class Builder {
 public:
  Builder(const StageRequest& request, Stage& stage) : request_(request), stage_(stage), maps_(stage.spawn.id) {}

  Result<void> build() {
    StagedSources& sources = stage_.sources;
    TRY(stage_shared_parents());
    for (const Mount& mount : request_.plan->mounts) sources.binds.push_back(mount.kind == MountKind::bind ? TRY(source_of(mount)) : std::string());
    if (!request_.empty_file.empty()) {
      const FoundSource found = TRY(find_source(request_.empty_file, {}));
      sources.empty_file = TRY(add_tree(request_.empty_file, found, MountAccess::read_only, SeenAs::others));
    }
    return {};
  }

 private:
  struct Tree {
    std::string source;
    std::string staged;
    SeenAs seen_as = SeenAs::owner;
    MountAccess access = MountAccess::read_only;
    uid_t owner = 0;
    gid_t group = 0;
    std::vector<std::string> binds;  // of a shared parent: the sources that it was made for, sorted
  };

  Result<std::string> source_of(const Mount& mount) {
    if (is_of_the_kernel(mount.source)) return mount.source;
    if (mount.source == request_.plan->ssh_agent) return listen_for_agent();
    if (const Tree* holder = holder_of(mount)) return path::join(holder->staged, path::relative(mount.source, holder->source));
    Result<FoundSource> found = find_source(mount.source, mount.identity);
    if (!found && request_.absent == AbsentSource::skip) return mount.source;
    return add_tree(mount.source, TRY(std::move(found)), mount.access, mount.seen_as);
  }

  Result<std::string> listen_for_agent() {
    const std::string name = "agent";
    struct stat status {};
    stage_.agent_listener = TRY(listen_in(stage_.file_system.get(), name));
    if (::fstatat(stage_.file_system.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return system_error("cannot look at a socket of ours", errno);
    stage_.agent = {static_cast<std::uint64_t>(major(status.st_dev)) << 32 | minor(status.st_dev), status.st_ino};
    return path::join(stage_.spawn.place, name);
  }

  // Another owner's would not be its owner's inside (SeenAs).
  static bool is_owned_alike(const Tree& tree, const std::string& source) {
    struct stat status {};
    return ::stat(source.c_str(), &status) == 0 && status.st_uid == tree.owner && status.st_gid == tree.group;
  }

  // The deepest one.
  const Tree* holder_of(const Mount& mount) const {
    const Tree* holder = nullptr;
    for (const Tree& tree : staged_) {
      if (tree.seen_as != mount.seen_as || !path::is_within(mount.source, tree.source)) continue;
      if (tree.seen_as == SeenAs::owner && !is_owned_alike(tree, mount.source)) continue;
      const bool serves = tree.binds.empty() ? mount.access == MountAccess::read_only
                                             : tree.access == mount.access && std::ranges::binary_search(tree.binds, mount.source);
      if (serves && (holder == nullptr || tree.source.size() > holder->source.size())) holder = &tree;
    }
    return holder;
  }

  Result<std::string> add_tree(const std::string& source, const FoundSource& found, MountAccess access, SeenAs seen_as) {
    if (stage_.trees.size() == stage_trees_max) {
      return error(ErrorCode::cannot_start, fmt::format("started by root, a sandbox takes at most {} granted trees", stage_trees_max), "grant directories that hold many of them");
    }
    const TreeRequest tree{&source, &found, access, seen_as == SeenAs::owner ? &maps_ : nullptr};
    stage_.trees.push_back(TRY(detach_tree(tree)));
    const std::string name = std::to_string(stage_.trees.size());
    const bool is_directory = S_ISDIR(found.status.st_mode);
    const int failed = is_directory ? ::mkdirat(stage_.file_system.get(), name.c_str(), 0700) : ::mknodat(stage_.file_system.get(), name.c_str(), S_IFREG | 0600, 0);
    if (failed != 0) return system_error("cannot make a place for " + visible(source), errno);
    stage_.spawn.trees.push_back({stage_.trees.back().get(), name});
    staged_.push_back({source, path::join(stage_.spawn.place, name), seen_as, access, found.status.st_uid, found.status.st_gid, {}});
    return staged_.back().staged;
  }

  // Binds of one owner and way below one directory.
  using SharedParent = std::tuple<std::string, uid_t, gid_t, SeenAs, MountAccess>;

  // Many binds side by side are reached through one tree of the directory that holds them: each mount costs
  // the backend's program time at every other.
  Result<void> stage_shared_parents() {
    constexpr std::size_t shared_min = 16;
    if (request_.plan->mounts.size() < shared_min) return {};
    std::map<SharedParent, std::vector<std::string>> groups;
    std::map<std::string, std::size_t> beside;
    for (const Mount& mount : request_.plan->mounts) {
      if (mount.kind == MountKind::bind) ++beside[path::parent(mount.source)];
    }
    for (const Mount& mount : request_.plan->mounts) {
      struct stat status {};
      if (mount.kind != MountKind::bind || beside[path::parent(mount.source)] < shared_min || ::stat(mount.source.c_str(), &status) != 0) continue;
      groups[{path::parent(mount.source), status.st_uid, status.st_gid, mount.seen_as, mount.access}].push_back(mount.source);
    }
    for (auto& [shared, binds] : groups) {
      if (binds.size() >= shared_min) TRY(stage_shared_parent(shared, std::move(binds)));
    }
    return {};
  }

  // Only where it makes no difference: one owner, open to that owner, nothing mounted below.
  Result<void> stage_shared_parent(const SharedParent& shared, std::vector<std::string> binds) {
    const auto& [parent, owner, group, seen_as, access] = shared;
    if (parent == "/" || is_of_the_kernel(parent)) return {};
    const FoundSource found = TRY(find_source(parent, {}));
    if (found.status.st_uid != owner || found.status.st_gid != group || (found.status.st_mode & S_IXUSR) == 0) return {};
    const std::vector<MountPoint> mounts = TRY(list_mounts());
    if (std::ranges::any_of(mounts, [&](const MountPoint& mount) { return path::is_within(mount.path, parent) && mount.path != parent; })) return {};
    TRY(add_tree(parent, found, access, seen_as));
    std::ranges::sort(binds);
    staged_.back().binds = std::move(binds);
    return {};
  }

  const StageRequest& request_;
  Stage& stage_;
  IdMaps maps_;
  std::vector<Tree> staged_;
};

}  // namespace

Result<Stage> make_stage(const StageRequest& request) {
  Stage stage;
  stage.file_system = TRY(make_file_system());
  stage.spawn.file_system = stage.file_system.get();
  // There on every machine, and bwrap covers it with a file system of its own as its first step.
  stage.spawn.place = path::is_within(request.program, "/tmp") ? "/run" : "/tmp";
  stage.spawn.id = kernel_id_of(::getpid());
  TRY(Builder(request, stage).build());
  return stage;
}

Result<std::optional<Stage>> make_stage_for(const LowerRequest& lower) {
  if (!drops_kernel_uid(lower.plan->user)) return std::optional<Stage>();
  return std::optional<Stage>(TRY(make_stage({lower.plan, lower.empty_file, lower.probe->program})));
}

}  // namespace paddock
