#include <linux/capability.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/spawn_child.h"

// The rules of spawn_child.h hold here. Ids by system call: the C library's functions would change those of
// every thread that shares our memory, which are the parent's.
namespace paddock {
namespace {

void attach_trees(ChildStep& step) {
  const ChildStage& stage = *step.stage;
  if (unshare(CLONE_NEWNS) != 0) fail(step, "take a mount namespace of its own");
  // Nothing goes out to the host's namespace or comes in from it.
  if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) fail(step, "make its mounts private");
  if (move_mount(stage.file_system, "", -1, stage.place, MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_SYMLINKS) != 0) fail(step, "attach the file system for its sources");
  for (std::size_t i = 0; i < stage.tree_count; ++i) {
    const ChildTree& tree = stage.trees[i];
    if (move_mount(tree.tree, "", stage.file_system, tree.name, MOVE_MOUNT_F_EMPTY_PATH) != 0) fail(step, "attach a granted tree");
  }
}

void take_ids(ChildStep& step) {
  const unsigned id = step.stage->id;
  if (syscall(SYS_setgroups, 0, nullptr) != 0) fail(step, "give up supplementary groups");
  if (syscall(SYS_setresgid, id, id, id) != 0) fail(step, "take an unprivileged group id");
  if (syscall(SYS_setresuid, id, id, id) != 0) fail(step, "take an unprivileged user id");
  // Gone with the user id, except under securebits that somebody set (capabilities(7)).
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3]{};
  if (syscall(SYS_capset, &header, none) != 0) fail(step, "give up capabilities");
}

}  // namespace

void enter_stage(ChildStep& step) {
  attach_trees(step);
  take_ids(step);
}

}  // namespace paddock
