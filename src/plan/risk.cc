#include "plan/risk.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "plan/known_places.h"
#include "plan/protected_list.h"

namespace paddock {
namespace {

// The system's, for everybody on the machine.
constexpr std::string_view system_places[] = {
    "/proc", "/sys", "/dev", "/boot", "/etc", "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store",
    "/run/systemd", "/var/spool/cron", "/var/spool/at", "/var/lib/systemd",
};

// Full of sockets, devices or settings.
constexpr std::string_view crowded_places[] = {"/run", "/var/run", "/tmp", "/dev", "/sys", "/proc", "/etc", "/var"};

bool overlaps(std::string_view a, std::string_view b) { return path::is_within(a, b) || path::is_within(b, a); }

// What one grant opens, gathered by name.
class Risks {
 public:
  Risks(const GrantedPath& grant, const RiskInput& input, const HostView& host) : grant_(grant), input_(input), host_(host), shown_(visible(grant.path)) {}

  std::vector<Relaxation> all() {
    if (grant_.kind == FileKind::socket) {
      const KnownSocket& socket = known_socket(grant_.path);
      return {{std::string(socket.relaxation), fmt::format("{} {}", shown_, socket.what), grant_.origin}};
    }
    if (grant_.path == "/") add("grant_root", "the whole machine");
    if (path::is_within(input_.home, grant_.path)) add("grant_home", "your home directory with its keys, tokens and settings");
    for (const KnownPlace& place : secret_places()) add_place(place);
    if (std::ranges::find(crowded_places, grant_.path) != std::end(crowded_places)) add("grant_system_directory", "sockets, devices or settings of the host");
    if (overlaps(grant_.path, "/run/user") && grant_.path != "/") add("grant_runtime_directory", "sockets of your session");
    if (grant_.access == MountAccess::read_write) add_writable();
    return std::move(found_);
  }

 private:
  void add(std::string_view name, std::string_view what) {
    const auto same = std::ranges::find(found_, name, &Relaxation::name);
    if (same == found_.end()) found_.push_back({std::string(name), fmt::format("{} holds {}", shown_, what), grant_.origin});
    else if (same->reason.find(what) == std::string::npos) same->reason += fmt::format(", {}", what);
  }

  // Inside it, or around it where it is there.
  void add_place(const KnownPlace& place) {
    const std::string whole = path::join(input_.home, place.path);
    const bool is_around = path::is_within(whole, grant_.path) && whole != grant_.path;
    if (is_around ? host_.look(whole).kind != FileKind::absent : path::is_within(grant_.path, whole)) add(place.relaxation, place.what);
  }

  void add_writable() {
    for (const KnownPlace& place : tool_cache_places()) add_place(place);
    const bool is_project = grant_.path == input_.workspace && !path::is_within(input_.home, grant_.path);
    if (!is_project && !input_.plants_allowed) return;  // held read-only in place
    for (const std::string& directory : search_directories(input_, host_)) {
      if (!overlaps(directory, grant_.path) || (path::is_within(grant_.path, directory) && grant_.path != directory && path::parent(grant_.path) != directory)) continue;
      add("grant_path_entry", fmt::format("{} of your PATH: programs that you run outside can be replaced", visible(directory)));
    }
    if (!input_.plants_allowed) return;
    for (const ProtectedName& name : protected_in_home()) {
      const std::string place = path::join(input_.home, name.path);
      if (path::is_within(grant_.path, place) || (path::is_within(place, grant_.path) && host_.look(place).kind != FileKind::absent)) {
        add("grant_startup_code", fmt::format("~/{}, which runs outside the sandbox", name.path));
      }
    }
  }

  const GrantedPath& grant_;
  const RiskInput& input_;
  const HostView& host_;
  std::string shown_;
  std::vector<Relaxation> found_;
};

// What a writable grant would let be replaced; empty when nothing is.
std::string plant_of(const GrantedPath& grant, const RiskInput& input, const HostView& host) {
  for (const ProtectedName& name : protected_in_home()) {
    if (path::is_within(grant.path, path::join(input.home, name.path))) {
      return fmt::format("{} holds what you run outside the sandbox: a writable grant would let it be replaced", visible(grant.path));
    }
  }
  for (const std::string& directory : search_directories(input, host)) {
    const bool is_program = grant.kind != FileKind::directory && path::parent(grant.path) == directory;
    if (grant.path == directory || is_program) return fmt::format("{} is on your PATH: a writable grant would let programs that you run be replaced", visible(grant.path));
  }
  return {};
}

}  // namespace

std::vector<std::string> search_directories(const RiskInput& input, const HostView& host) {
  std::vector<std::string> all;
  for (const std::string& entry : split(input.search_path, ':')) {
    if (!path::is_absolute(entry)) continue;
    const std::string place = path::normal(entry);
    std::string real = host.real_path(place).value_or(place);
    if (std::ranges::find(all, real) == all.end()) all.push_back(std::move(real));
  }
  return all;
}

std::vector<Relaxation> risks_of(const GrantedPath& grant, const RiskInput& input, const HostView& host) { return Risks(grant, input, host).all(); }

Relaxation risk_of_world(const MountTable& table, const HostView& host, const std::string& home, const Origin& origin) {
  std::vector<std::string> seen;
  for (const KnownPlace& secret : secret_places()) {
    const std::string place = path::join(home, secret.path);
    const std::string real = host.real_path(place).value_or(place);
    const FileKind kind = host.look(real).kind;
    if ((kind == FileKind::directory || kind == FileKind::file) && table.is_visible(real)) seen.push_back(fmt::format("~/{}", secret.path));
  }
  std::string reason = "everything on this machine that you can read is readable inside";
  if (!seen.empty()) reason += fmt::format(": {} among it; mask what is to stay hidden", join(seen, ", "));
  return {"world_host", std::move(reason), origin};
}

std::string refusal_of_state(const GrantedPath& directory, const RiskInput& input, const HostView& host) {
  // Of a harness's own directory the parts that run outside are protected one by one.
  GrantedPath read = directory;
  read.access = MountAccess::read_only;
  const std::vector<Relaxation> risks = risks_of(read, input, host);
  if (!risks.empty()) return "it is not only the harness's: " + risks.front().reason;
  return refusal_of(directory, input, host);
}

std::string refusal_of(const GrantedPath& grant, const RiskInput& input, const HostView& host) {
  for (const std::string& own : input.own_directories) {
    if (!own.empty() && path::is_within(grant.path, own)) return fmt::format("{} is Paddock's own directory", visible(grant.path));
  }
  if (grant.access != MountAccess::read_write) return {};
  for (const std::string_view place : system_places) {
    if (path::is_within(grant.path, place)) return fmt::format("{} is the system's: it may be read, never written", visible(grant.path));
    if (path::is_within(place, grant.path) && !input.plants_allowed) return fmt::format("{} holds {}, which is the system's: it may be read, never written", visible(grant.path), place);
  }
  return input.plants_allowed ? std::string() : plant_of(grant, input, host);
}

}  // namespace paddock
