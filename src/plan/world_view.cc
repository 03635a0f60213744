#include "plan/world_view.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "plan/system_view.h"

namespace paddock {
namespace {

const Origin built_in{OriginKind::built_in, "built in"};

// What a variable names is the system's own, however it is set: never a place for temporary files.
constexpr std::string_view system_places[] = {"/bin", "/boot", "/dev", "/etc", "/gnu", "/lib", "/lib32", "/lib64", "/nix", "/opt", "/proc", "/root", "/sbin", "/sys", "/usr"};

class WorldView {
 public:
  WorldView(MountTable& table, const HostView& host, const WorldInput& input) : table_(table), host_(host), input_(input) {}

  Result<ClaimedWorld> claim() {
    if (input_.files.world.value == World::minimal) {
      claim_private_places(table_, host_, input_.user, input_.processes);
      TRY(claim_system(table_, host_, input_.user, input_.network));
    } else {
      show_host();
      replace_runtime();
    }
    if (drops_kernel_uid(input_.user)) {
      table_.see_as_others();
      if (input_.files.world.value == World::host) show_home();
    }
    if (input_.files.temp.value == Temp::host) share_temporary();
    else if (input_.files.world.value == World::host) replace_temporary();
    return std::move(world_);
  }

 private:
  // The weakest claim: whoever grants "/" by name says more.
  void show_host() {
    table_.show("/", host_.look("/"), MountAccess::read_only, Strength::structure, "the whole host", input_.files.world.origin);
    claim_kernel_places(table_, host_, input_.user, input_.processes);
    // Read-only too where all of the machine is granted; otherwise it only repeats "/".
    if (const HostFile sys = host_.look("/sys"); sys.kind == FileKind::directory) {
      table_.show("/sys", sys, MountAccess::read_only, Strength::protect, "kernel settings", built_in);
    }
  }

  // Real root is nobody to the kernel inside, and its home is its own all the same.
  void show_home() {
    const std::string home = host_.real_path(input_.user.home).value_or(input_.user.home);
    if (const HostFile file = host_.look(home); home != "/" && file.kind == FileKind::directory) {
      table_.show(home, file, MountAccess::read_only, Strength::structure, "home, as root sees it", input_.files.world.origin);
    }
  }

  void replace(const std::string& path, std::uint64_t bytes_max, std::uint32_t mode, std::string reason) {
    if (host_.look(path).kind == FileKind::directory) claim_temporary(table_, path, bytes_max, mode, std::move(reason));
  }

  void replace_runtime() {
    replace("/run", runtime_bytes_max, 0755, "private runtime directory");
    replace("/var/run", runtime_bytes_max, 0755, "private runtime directory");  // a link to /run nearly everywhere
    if (const std::string own = usable("XDG_RUNTIME_DIR"); !own.empty()) replace(own, runtime_bytes_max, 0700, "private runtime directory");
    // What was there and is needed: the resolver's file, and programs.
    if (input_.network != NetworkMode::off) claim_link_chain(table_, host_, "/etc/resolv.conf", "name resolution", built_in);
    for (const std::string& entry : split(input_.search_path, ':')) {
      if (path::is_within(path::normal(entry), "/run")) claim_link_chain(table_, host_, path::normal(entry), "tools on PATH", built_in);
    }
  }

  void replace_temporary() {
    for (const char* place : {"/tmp", "/var/tmp"}) replace(place, temp_bytes_max, 01777, "private temporary files");
    const std::string own = usable("TMPDIR");
    if (own.empty()) return;
    world_.temporary = own;
    // Inside a place that may be written anyway it is as good as it is.
    if (!is_granted(own)) replace(own, temp_bytes_max, 0700, "private temporary files");
  }

  void share_temporary() {
    share("/tmp");
    share("/var/tmp");
    const std::string own = usable("TMPDIR");
    if (own.empty()) return;
    world_.temporary = own;
    if (path::is_within(own, "/tmp") || path::is_within(own, "/var/tmp")) return;
    share(own);
    world_.granted.push_back({own, FileKind::directory, MountAccess::read_write, input_.files.temp.origin});
  }

  void share(const std::string& place) {
    const HostFile file = host_.look(place);
    if (file.kind != FileKind::directory) return;
    table_.show(place, file, MountAccess::read_write, Strength::writable, "the host's temporary files", input_.files.temp.origin);
  }

  // The directory that a variable of the host's names, links resolved; empty when it may not be replaced or
  // shared as a whole.
  std::string usable(const char* variable) const {
    const auto said = input_.environment.find(variable);
    if (said == input_.environment.end() || !path::is_absolute(said->second)) return {};
    const std::string named = path::normal(said->second);
    const auto real = host_.real_path(named);
    if (!real || host_.look(*real).kind != FileKind::directory) return {};
    // A link of an earlier payload's.
    if (path::is_within(named, input_.workspace) && !path::is_within(*real, input_.workspace)) return {};
    const std::string home = host_.real_path(input_.user.home).value_or(input_.user.home);
    const bool is_systems = std::ranges::any_of(system_places, [&](std::string_view place) { return path::is_within(*real, place) && !path::is_within(*real, home); });
    return *real == "/" || is_systems || path::is_within(home, *real) ? std::string() : *real;
  }

  bool is_granted(const std::string& place) const {
    if (input_.files.workspace.value == WorkspaceAccess::read_write && path::is_within(place, input_.workspace)) return true;
    const RuleContext context{input_.workspace, input_.user.home};
    return std::ranges::any_of(input_.files.write, [&](const PathRule& rule) {
      const auto real = host_.real_path(place_of(rule.path, rule.base, context));
      return real && path::is_within(place, *real);
    });
  }

  MountTable& table_;
  const HostView& host_;
  const WorldInput& input_;
  ClaimedWorld world_;
};

}  // namespace

Result<ClaimedWorld> claim_world(MountTable& table, const HostView& host, const WorldInput& input) { return WorldView(table, host, input).claim(); }

Result<void> hide_sockets(MountTable& table, const HostView& host, const Origin& origin) {
  std::size_t masked = 0;
  for (const std::string& path : TRY(host.bound_sockets())) {
    if (!table.is_visible(path)) continue;
    const std::string real = host.real_path(path).value_or(path);
    if (host.look(real).kind != FileKind::socket || !table.is_visible(real)) continue;
    if (++masked > sockets_masked_max) {
      return error(ErrorCode::cannot_start, fmt::format("more than {} sockets of this machine are in view, the last of them {}", sockets_masked_max, visible(real)),
                   "mask a directory that holds many of them");
    }
    Claim claim;
    claim.strength = Strength::mask;
    claim.by_pattern = true;
    claim.mount.kind = MountKind::mask_file;
    claim.mount.is_directory = false;
    claim.mount.target = real;
    claim.mount.reason = std::string(socket_mask_reason);
    claim.mount.origin = origin;
    table.claim(std::move(claim));
  }
  return {};
}

}  // namespace paddock
