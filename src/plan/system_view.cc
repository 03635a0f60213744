#include "plan/system_view.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/path.h"

namespace paddock {
namespace {

// Programs, libraries and their data; nothing of a user's.
constexpr std::string_view system_directories[] = {
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store", "/etc/static",
};

// What programs read of /etc, small, and what holds no secret: shown as private copies in one directory
// (one mount instead of forty: a mount costs bubblewrap 0.13 ms). Everything else there is hidden.
constexpr std::string_view etc_names[] = {
    "bash.bashrc", "bashrc", "binfmt.d", "debian_version", "environment", "fedora-release", "gai.conf", "gitattributes", "gitconfig",
    "host.conf", "hosts", "inputrc", "issue", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "ld-musl-x86_64.path", "ld-musl-aarch64.path", "locale.alias", "locale.conf",
    "localtime", "login.defs", "lsb-release", "magic", "magic.mime", "manpath.config", "mime.types", "networks", "npmrc", "nsswitch.conf",
    "os-release", "pip.conf", "profile", "profile.d", "protocols", "python3", "python3.9", "python3.10", "python3.11", "python3.12", "python3.13", "redhat-release", "services", "shells",
    "system-release", "timezone", "wgetrc", "zprofile", "zshenv", "zshrc",
};

// Larger, or changed while sandboxes run: shown as they are.
constexpr std::string_view etc_places[] = {
    "alternatives", "ca-certificates", "crypto-policies", "fonts", "java-11-openjdk", "java-17-openjdk", "java-21-openjdk", "pki", "ssl",
};

// Inside /etc entries that are shown: private keys.
constexpr std::string_view etc_masks[] = {"/etc/ssl/private", "/etc/pki/tls/private"};

// Where programs look for certificate authorities; often the end of a chain of links.
constexpr std::string_view certificate_bundles[] = {
    "/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem", "/etc/ssl/ca-bundle.pem", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/pki/tls/cacert.pem",
};

// Kernel settings that kernel uid 0 can write through any procfs, and /proc/pressure, which takes triggers from
// everybody (since Linux 6.5): read-only for all.
constexpr std::string_view kernel_tunables[] = {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/pressure"};

// More of the same kind, shown only to a payload that is root to the kernel: no other could write them.
constexpr std::string_view root_tunables[] = {
    "/proc/acpi", "/proc/asound", "/proc/driver", "/proc/dynamic_debug", "/proc/fs", "/proc/mtrr", "/proc/scsi",
    "/proc/latency_stats", "/proc/timer_stats", "/proc/tty", "/proc/slabinfo", "/proc/kcore",
};

const Origin built_in{OriginKind::built_in, "built in"};

// A file or directory of the system at its own path; a link stays a link when its end is visible.
void claim_system_path(MountTable& table, const HostView& host, const std::string& path) {
  const HostFile file = host.look(path);
  if (file.kind == FileKind::link) {
    claim_link_chain(table, host, path, "system", built_in);
  } else if (file.kind == FileKind::directory || file.kind == FileKind::file) {
    table.show(path, file, MountAccess::read_only, Strength::read_only, "system", built_in);
  }
}

void claim_tunable(MountTable& table, const HostView& host, std::string_view path) {
  HostFile file = host.look(std::string(path));
  if (file.kind != FileKind::file && file.kind != FileKind::directory) return;
  file.identity = {};  // a procfs numbers its entries as they are looked at
  table.show(std::string(path), file, MountAccess::read_only, Strength::protect, "kernel settings", built_in);
}

std::string users_file(const PlanUser& user) {
  return fmt::format("root:x:0:0:root:/nonexistent:/usr/sbin/nologin\n{}:x:{}:{}::{}:{}\n"
                     "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
                     user.name, user.uid, user.gid, user.home, user.shell);
}

std::string groups_file(const PlanUser& user) {
  return fmt::format("root:x:0:\n{}:x:{}:\nnogroup:x:65534:\n", user.name, user.gid);
}

void claim_mask(MountTable& table, std::string_view path, std::string reason) {
  Claim claim;
  claim.strength = Strength::mask;
  claim.mount.kind = MountKind::mask_directory;
  claim.mount.target = path;
  claim.mount.reason = std::move(reason);
  claim.mount.origin = built_in;
  table.claim(std::move(claim));
}

// A link into /run would need its neighbours there: the end of the chain is shown at the well-known place.
void claim_resolver(MountTable& table, const HostView& host) {
  const std::string path = "/etc/resolv.conf";
  const std::optional<std::string> real = host.real_path(path);
  if (!real || host.look(*real).kind != FileKind::file) return;
  table.show(path, host.look(*real), MountAccess::read_only, Strength::read_only, "name resolution", built_in);
  Claim shown = *table.at(path);
  shown.mount.source = *real;
  table.claim(std::move(shown));
}

}  // namespace

void claim_temporary(MountTable& table, std::string target, std::uint64_t bytes_max, std::uint32_t mode, std::string reason) {
  Claim claim;
  claim.mount.kind = MountKind::temporary;
  claim.mount.target = std::move(target);
  claim.mount.access = MountAccess::read_write;
  claim.mount.bytes_max = bytes_max;
  claim.mount.mode = mode;
  claim.mount.reason = std::move(reason);
  claim.mount.origin = built_in;
  table.claim(std::move(claim));
}

void claim_made(MountTable& table, MountKind kind, std::string target, std::string content_or_source, std::uint32_t mode,
                std::string reason) {
  Claim claim;
  claim.mount.kind = kind;
  claim.mount.target = std::move(target);
  claim.mount.mode = mode;
  claim.mount.is_directory = kind == MountKind::directory;
  claim.mount.reason = std::move(reason);
  claim.mount.origin = built_in;
  (kind == MountKind::link ? claim.mount.source : claim.mount.content) = std::move(content_or_source);
  table.claim(std::move(claim));
}

LinkChain walk_links(const HostView& host, const std::string& path) {
  constexpr int links_max = 40;  // as the kernel's MAXSYMLINKS
  LinkChain chain{{}, path};
  for (int followed = 0; followed < links_max; ++followed) {
    // The first one in the path, from the left.
    std::string link;
    HostFile file;
    for (std::size_t slash = 0; slash != std::string::npos && file.kind != FileKind::link;) {
      slash = chain.end.find('/', slash + 1);
      link = chain.end.substr(0, slash);
      file = host.look(link);
      if (file.kind == FileKind::absent) return chain;  // nothing below is there
    }
    if (file.kind != FileKind::link) return chain;
    chain.links.emplace_back(link, file.link_target);
    chain.end = path::normal(path::relative(chain.end, link), path::normal(file.link_target, path::parent(link)));
  }
  return chain;
}

void claim_link_chain(MountTable& table, const HostView& host, const std::string& path, const std::string& reason, const Origin& origin) {
  const LinkChain chain = walk_links(host, path);
  for (const auto& [link, target] : chain.links) {
    if (table.is_visible(link)) continue;
    Claim claim;
    claim.mount = {MountKind::link, link, target, MountAccess::read_only, false, {}, 0, 0755, {}, reason, origin};
    table.claim(std::move(claim));
  }
  const HostFile end = host.look(chain.end);
  if (end.kind != FileKind::file && end.kind != FileKind::directory) return;
  if (!table.is_visible(chain.end)) table.show(chain.end, end, MountAccess::read_only, Strength::read_only, reason, origin);
}

namespace {

bool is_shown_place(std::string_view path) {
  return std::ranges::any_of(etc_places, [&](std::string_view name) { return path::is_within(path, fmt::format("/etc/{}", name)); });
}

EtcRequest etc_request(const HostView& host, const PlanUser& user, NetworkMode network) {
  EtcRequest request;
  for (const std::string_view name : etc_names) request.names.emplace_back(name);
  for (const std::string_view name : etc_places) request.places.emplace_back(name);
  if (network != NetworkMode::off) request.places.emplace_back("resolv.conf");
  request.files = {{"passwd", users_file(user)}, {"group", groups_file(user)}};
  // Links of a bundle's chain that lie in a part of /etc which is not shown.
  for (const std::string_view bundle : certificate_bundles) {
    for (const auto& [link, target] : walk_links(host, std::string(bundle)).links) {
      if (path::is_within(link, "/etc") && !is_shown_place(link)) request.links.emplace_back(path::relative(link, "/etc"), target);
    }
  }
  return request;
}

}  // namespace

Result<void> claim_system(MountTable& table, const HostView& host, const PlanUser& user, NetworkMode network) {
  for (const std::string_view path : system_directories) claim_system_path(table, host, std::string(path));

  const std::string view = TRY(host.etc_view(etc_request(host, user, network)));
  table.show("/etc", host.look(view), MountAccess::read_only, Strength::read_only, "system settings without secrets", built_in);
  Claim etc = *table.at("/etc");
  etc.mount.source = view;
  table.claim(std::move(etc));

  for (const std::string_view name : etc_places) {
    const std::string path = fmt::format("/etc/{}", name);
    const HostFile file = host.look(path);
    if (file.kind == FileKind::directory) table.show(path, file, MountAccess::read_only, Strength::read_only, "system settings", built_in);
  }
  if (network != NetworkMode::off) claim_resolver(table, host);
  for (const std::string_view bundle : certificate_bundles) {
    claim_link_chain(table, host, std::string(bundle), "certificate authorities", built_in);
  }
  for (const std::string_view path : etc_masks) {
    if (host.look(std::string(path)).kind == FileKind::directory) claim_mask(table, path, "private keys");
  }
  return {};
}

void claim_private_places(MountTable& table, const HostView& host, const PlanUser& user, ProcessList processes) {
  claim_temporary(table, user.home, home_bytes_max, 0700, "home, empty and private");
  claim_temporary(table, "/tmp", temp_bytes_max, 01777, "private temporary files");
  Claim more_temporary;
  more_temporary.mount = {MountKind::link, "/var/tmp", "/tmp", MountAccess::read_only, false, {}, temp_bytes_max, 01777, {}, "private temporary files", built_in};
  table.claim(std::move(more_temporary));
  claim_made(table, MountKind::link, "/var/run", "/run", 0777, "runtime directory");
  claim_kernel_places(table, host, user, processes);
}

void claim_kernel_places(MountTable& table, const HostView& host, const PlanUser& user, ProcessList processes) {
  claim_temporary(table, fmt::format("/run/user/{}", user.uid), runtime_bytes_max, 0700, "private runtime directory");
  Claim own;
  own.mount.kind = MountKind::devices;
  own.mount.target = "/dev";
  own.mount.access = MountAccess::read_write;
  own.mount.reason = "a minimal set of devices, terminals and shared memory of its own";
  own.mount.origin = built_in;
  table.claim(own);
  if (processes == ProcessList::outside) {
    table.show("/proc", host.look("/proc"), MountAccess::read_only, Strength::read_only, "all processes, those outside too", built_in);
  } else {
    own.mount.kind = MountKind::processes;
    own.mount.target = "/proc";
    own.mount.reason = "the sandbox's own processes";
    table.claim(std::move(own));
  }
  for (const std::string_view path : kernel_tunables) claim_tunable(table, host, path);
  if (!user.kernel_root) return;
  for (const std::string_view path : root_tunables) claim_tunable(table, host, path);
}

}  // namespace paddock
