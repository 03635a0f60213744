#include <fmt/core.h>

#include "backend/bubblewrap.h"
#include "protocol/descriptors.h"

namespace paddock {
namespace {

constexpr std::size_t arguments_max = 9000;  // bubblewrap.c, MAX_ARGS
constexpr int arguments_slot = descriptor::first_free;
constexpr int first_data_slot = descriptor::first_free + 1;

class Options {
 public:
  Options(const Plan& plan, const std::string& empty_file, const StagedSources* staged, int data_slot)
      : plan_(plan), empty_file_(staged == nullptr ? empty_file : staged->empty_file), staged_(staged), data_slot_(data_slot) {}

  BubblewrapOptions build() {
    add_namespaces();
    for (std::size_t i = 0; i < plan_.mounts.size(); ++i) add_mount(plan_.mounts[i], staged_ == nullptr ? plan_.mounts[i].source : staged_->binds[i]);
    seal_masks();
    if (!root_is_writable()) add({"--remount-ro", "/"});
    add({"--chdir", "/"});
    return std::move(out_);
  }

 private:
  void add(std::initializer_list<std::string> words) { out_.options.insert(out_.options.end(), words); }

  void add_namespaces() {
    add({"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"});
    if (plan_.network != NetworkMode::on) add({"--unshare-net"});
    add({"--uid", std::to_string(plan_.user.uid), "--gid", std::to_string(plan_.user.gid)});
    // Not --die-with-parent: killed before it has written the maps, bwrap would leave a child that waits
    // for ever. The end of the control channel ends everything instead (sandbox/start.cc).
    add({"--new-session", "--cap-drop", "ALL"});
  }

  void add_mount(const Mount& mount, const std::string& source) {
    const bool read_only = mount.access == MountAccess::read_only;
    switch (mount.kind) {
      case MountKind::bind:
        return add({read_only ? "--ro-bind" : "--bind", source, mount.target});
      case MountKind::temporary:
        return add({"--perms", fmt::format("{:04o}", mount.mode), "--size", std::to_string(mount.bytes_max), "--tmpfs", mount.target});
      case MountKind::processes:
        return add({"--proc", mount.target});
      case MountKind::devices:
        return add({"--dev", mount.target});
      case MountKind::link:
        return add({"--symlink", mount.source, mount.target});
      case MountKind::directory:
        return add({"--perms", fmt::format("{:04o}", mount.mode), "--dir", mount.target});
      case MountKind::data:
        add({"--perms", fmt::format("{:04o}", mount.mode), "--file", std::to_string(data_slot_++), mount.target});
        out_.contents.push_back(mount.content);
        return;
      case MountKind::mask_file:
        return add({"--ro-bind", empty_file_, mount.target});
      case MountKind::mask_directory:
        add({"--perms", "0555", "--size", "4096", "--tmpfs", mount.target});
        masks_.push_back(mount.target);
        return;
    }
  }

  [[nodiscard]] bool root_is_writable() const {
    return !plan_.mounts.empty() && plan_.mounts.front().target == "/" && plan_.mounts.front().access == MountAccess::read_write;
  }

  // After everything that may lie beneath them has its place.
  void seal_masks() {
    for (const std::string& mask : masks_) add({"--remount-ro", mask});
  }

  const Plan& plan_;
  const std::string& empty_file_;
  const StagedSources* staged_;
  int data_slot_;
  std::vector<std::string> masks_;
  BubblewrapOptions out_;
};

using Kind = DescriptorSlot::Kind;

void add_slots(Launch& launch, const std::string& arguments, std::vector<std::string> contents) {
  launch.slots = {{Kind::null, 0, 0, {}},
                  {Kind::null, 1, 0, {}},
                  {Kind::diagnostics, descriptor::diagnostics, 0, {}},
                  {Kind::control, descriptor::control, 0, {}},
                  {Kind::brief, descriptor::brief, 0, {}},
                  {Kind::command, descriptor::command, 0, {}},
                  {Kind::warden, descriptor::program, 0, {}}};
  for (int i = 0; i < 3; ++i) launch.slots.push_back({Kind::payload, descriptor::payload_first + i, i, {}});
  launch.slots.push_back({Kind::data, arguments_slot, 0, arguments});
  int slot = first_data_slot;
  for (std::string& content : contents) launch.slots.push_back({Kind::data, slot++, 0, std::move(content)});
}

}  // namespace

BubblewrapOptions bubblewrap_options(const Plan& plan, const std::string& empty_file, const StagedSources* staged, int data_slot) {
  return Options(plan, empty_file, staged, data_slot).build();
}

Result<void> check_count(const BubblewrapOptions& options, const Plan& plan) {
  constexpr std::size_t on_command_line = 8;
  const std::size_t count = options.options.size() + on_command_line;
  if (count <= arguments_max) return {};
  return error(ErrorCode::cannot_start, fmt::format("bubblewrap takes {} arguments and this sandbox needs {} ({} mounts)", arguments_max, count, plan.mounts.size()),
               "grant or mask directories instead of many single paths");
}

Result<Launch> lower_bubblewrap(const LowerRequest& request) {
  if (holds(request.plan->required, Guarantee::world_host) && request.plan->nested == Nested::full) {
    // What the host mounts during the run arrives inside as it is, and only Landlock keeps it from being written.
    return error(ErrorCode::cannot_start, "world = \"host\" is held with Landlock, which nested = \"full\" turns off", "use nested = \"browser\" or world = \"minimal\"");
  }
  const bool needs_stage = drops_kernel_uid(request.plan->user);
  if (needs_stage && (request.staged == nullptr || request.staged->binds.size() != request.plan->mounts.size())) {
    return error(ErrorCode::cannot_start, "kernel_uid_unprivileged: the sources of this sandbox are not on a stage, and the payload would be root to the kernel");
  }
  BubblewrapOptions made = bubblewrap_options(*request.plan, request.empty_file, request.staged, first_data_slot);
  made.options.insert(made.options.begin(), "--as-pid-1");
  TRY(check_count(made, *request.plan));
  std::string arguments;
  for (const std::string& option : made.options) arguments.append(option).push_back('\0');

  Launch launch;
  launch.program = request.probe->program;
  launch.program_identity = request.probe->program_identity;
  launch.program_change = request.probe->program_change;
  launch.argv = {"bwrap", "--args", std::to_string(arguments_slot), "--", fmt::format("/proc/self/fd/{}", descriptor::program)};
  launch.working_directory = "/";
  launch.staged = request.staged != nullptr;
  add_slots(launch, arguments, std::move(made.contents));
  return launch;
}

}  // namespace paddock
