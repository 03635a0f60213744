#include "backend/probe_cache.h"

#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fmt/core.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/own_namespaces.h"
#include "base/path.h"
#include "base/text.h"

namespace paddock {

namespace {

std::string file_of(const std::string& directory, std::string_view backend) { return path::join(directory, fmt::format("probe-{}", backend)); }

}  // namespace

ProbeCache::ProbeCache(std::string directory, std::string backend, std::string key)
    : path_(directory.empty() ? std::string() : file_of(directory, backend)), key_(std::move(key)) {}

std::optional<ProbeReport> ProbeCache::load() const {
  if (path_.empty()) return std::nullopt;
  const auto text = read_file_if_any(path_, 65536);
  if (!text || !*text) return std::nullopt;
  const std::vector<std::string> lines = split(**text, '\n');
  if (lines.size() < 4 || lines[0] != key_) return std::nullopt;
  ProbeReport report;
  report.available = true;
  report.version = lines[1];
  report.landlock_abi = static_cast<int>(parse_unsigned(lines[2]).value_or(0));
  for (const std::string& name : split(lines[3], ' ')) {
    if (const auto guarantee = guarantee_named(name)) report.held.push_back(*guarantee);
  }
  for (std::size_t i = 4; i < lines.size(); ++i) {
    if (!lines[i].empty()) report.warnings.push_back(lines[i]);
  }
  return report;
}

void ProbeCache::store(const ProbeReport& report) const {
  if (path_.empty()) return;
  std::vector<std::string> names;
  for (const Guarantee guarantee : report.held) names.emplace_back(name_of(guarantee));
  std::string text = fmt::format("{}\n{}\n{}\n{}\n", key_, report.version, report.landlock_abi, join(names, " "));
  for (const std::string& warning : report.warnings) text += visible(warning) + "\n";
  if (make_private_directories(path::parent(path_)).ok()) (void)write_file(path_, text).ok();
}

void forget_probe(const std::string& directory, std::string_view backend) { ::unlink(file_of(directory, backend).c_str()); }

std::string kernel_and_place() {
  utsname names{};
  ::uname(&names);
  char boot[64];
  const Fd file(::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC));
  const ssize_t n = ::read(file.get(), boot, sizeof boot);
  const OwnNamespaces& own = own_namespaces();
  return fmt::format("{} {} {} {}", names.release, n > 0 ? trim({boot, static_cast<std::size_t>(n)}) : std::string_view("?"), own.inodes[own_user_namespace], own.inodes[own_mount_namespace]);
}

}  // namespace paddock
