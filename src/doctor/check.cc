#include "doctor/check.h"

#include <algorithm>

#include "doctor/checks.h"

namespace paddock::doctor {
namespace {

constexpr Check table[] = {
    {"backend.default", "sandbox", Need::required, backend_default},
    {"backend.*", "sandbox", Need::advised, backend_each},
    {"install.warden", "sandbox", Need::advised, install_warden},
    {"install.program", "sandbox", Need::advised, install_program},
    {"config.user", "sandbox", Need::advised, config_user},
    {"userns.allowed", "namespaces", Need::advised, userns_allowed},
    {"userns.kinds", "namespaces", Need::advised, userns_kinds},
    {"userns.proc", "namespaces", Need::advised, userns_proc},
    {"userns.apparmor", "namespaces", Need::advised, userns_apparmor},
    {"userns.filter", "namespaces", Need::advised, userns_filter},
    {"userns.container", "namespaces", Need::advised, userns_container},
    {"kernel.version", "kernel", Need::advised, kernel_version},
    {"kernel.landlock", "kernel", Need::advised, kernel_landlock},
    {"kernel.seccomp", "kernel", Need::advised, kernel_seccomp},
    {"kernel.overlayfs", "kernel", Need::advised, kernel_overlayfs},
    {"kernel.idmap", "kernel", Need::advised, kernel_idmap},
    {"harness.*", "agents", Need::advised, harness_each},
    {"git.program", "git", Need::required, git_program},
    {"git.version", "git", Need::advised, git_version},
    {"git.repository", "git", Need::advised, git_repository},
    {"git.safe_directory", "git", Need::advised, git_safe_directory},
    {"git.identity", "git", Need::advised, git_identity},
    {"git.lfs", "git", Need::advised, git_lfs},
    {"network.certificates", "network", Need::advised, network_certificates},
    {"network.dns", "network", Need::advised, network_dns},
    {"network.proxy", "network", Need::advised, network_proxy},
    {"terminal.type", "terminal", Need::advised, terminal_type},
    {"terminal.size", "terminal", Need::advised, terminal_size},
    {"terminal.encoding", "terminal", Need::advised, terminal_encoding},
    {"terminal.multiplexer", "terminal", Need::advised, terminal_multiplexer},
    {"storage.state", "storage", Need::required, storage_state},
    {"storage.config", "storage", Need::advised, storage_config},
    {"storage.data", "storage", Need::advised, storage_data},
    {"storage.cache", "storage", Need::advised, storage_cache},
    {"storage.runtime", "storage", Need::advised, storage_runtime},
};

// "harness.*" is "harness" in the document.
std::string doc_of(std::string_view id) { return std::string(id.ends_with(".*") ? id.substr(0, id.size() - 2) : id); }

}  // namespace

std::span<const Check> checks() { return table; }

std::vector<Finding> examine(const Facts& facts) {
  std::vector<Finding> findings;
  for (const Check& check : table) {
    for (Answer& answer : check.answer(facts)) {
      const std::string id = answer.member.empty() ? std::string(check.id) : doc_of(check.id) + "." + answer.member;
      findings.push_back({id, check.group, check.need, doc_of(check.id), std::move(answer)});
    }
  }
  return findings;
}

bool is_fit(const std::vector<Finding>& findings) {
  return std::ranges::none_of(findings, [](const Finding& finding) { return finding.need == Need::required && finding.answer.status == Status::fail; });
}

std::string_view word_of(Status status) {
  switch (status) {
    case Status::ok: return "ok";
    case Status::warn: return "warn";
    case Status::fail: return "fail";
    case Status::skip: return "skip";
  }
  return "fail";
}

}  // namespace paddock::doctor
