#include <cerrno>

#include <fmt/core.h>

#include "base/text.h"
#include "doctor/checks.h"

namespace paddock::doctor {
namespace {

// The first two numbers of "6.18.44-generic"; nothing when that is not how it begins.
std::optional<std::pair<std::uint64_t, std::uint64_t>> version_of(std::string_view release) {
  const auto dot = release.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  std::string_view minor = release.substr(dot + 1);
  minor = minor.substr(0, minor.find_first_not_of("0123456789"));
  const auto first = parse_unsigned(release.substr(0, dot));
  const auto second = parse_unsigned(minor);
  if (!first || !second) return std::nullopt;
  return std::pair{*first, *second};
}

constexpr std::pair<std::uint64_t, std::uint64_t> oldest{5, 11};  // close_range with CLOSE_RANGE_CLOEXEC

}  // namespace

Answers kernel_version(const Facts& facts) {
  const std::string& release = facts.kernel.release;
  const auto version = version_of(release);
  Answer answer = ok("Linux " + release);
  if (!version) answer = warning("Linux " + release, "its version cannot be read", "see whether the other checks pass");
  else if (*version < oldest) {
    answer = failure("Linux " + release, fmt::format("Paddock uses system calls that Linux {}.{} brought", oldest.first, oldest.second), "use a newer kernel of your distribution");
  }
  answer.facts = {{"release", release}};
  return {answer};
}

Answers kernel_landlock(const Facts& facts) {
  const int abi = facts.kernel.landlock_abi;
  constexpr int closes_abstract_sockets = 6;
  Answer answer = ok(fmt::format("Landlock ABI {}", abi));
  if (abi <= 0 && facts.kernel.landlock_error == EOPNOTSUPP) {
    answer = warning("Landlock is off", "it was not chosen when the machine started: the second wall is missing, and abstract sockets stay in reach while the network is shared",
                     "add landlock to the lsm= parameter of the kernel's command line");
  } else if (abi <= 0) {
    answer = warning("no Landlock", "this kernel has none, or a filter hides it: the second wall is missing, and abstract sockets stay in reach while the network is shared",
                     "use a kernel with Landlock (5.13; 6.12 for all of it)");
  } else if (abi < closes_abstract_sockets) {
    answer = warning(fmt::format("Landlock ABI {}", abi), "abstract sockets of the host (an X server's, for one) stay in reach while the network is shared: ABI 6 closes them",
                     "use Linux 6.12 or newer, or --net off");
  }
  answer.facts = {{"abi", std::to_string(abi)}};
  return {answer};
}

Answers kernel_seccomp(const Facts& facts) {
  if (!facts.kernel.has_seccomp_filter) return {failure("no system call filter", "this kernel was built without seccomp filters, or something refuses them", "use a kernel with CONFIG_SECCOMP_FILTER")};
  return {ok(facts.kernel.has_seccomp_notify ? "filters, with notification" : "filters, without notification")};
}

Answers kernel_overlayfs(const Facts& facts) {
  if (facts.kernel.has_overlay) return {ok("loaded")};
  return {skipped("not loaded: needed for copy-on-write workspaces alone, which this version does not have")};
}

Answers kernel_idmap(const Facts& facts) {
  if (facts.kernel.has_idmapped_mounts) return {ok("mounts can be given other owners")};
  if (!facts.real_root) return {skipped("not there: needed by root alone")};
  return {warning("no idmapped mounts", "started by root, files that root owns in granted trees are root's to the command too", "use Linux 5.12 or newer, or start it as an ordinary user")};
}

}  // namespace paddock::doctor
