// The answers behind the table, one file for each group.
#pragma once

#include "doctor/check.h"

namespace paddock::doctor {

using Answers = std::vector<Answer>;

// kernel_checks.cc
Answers kernel_version(const Facts& facts);
Answers kernel_landlock(const Facts& facts);
Answers kernel_seccomp(const Facts& facts);
Answers kernel_overlayfs(const Facts& facts);
Answers kernel_idmap(const Facts& facts);

// namespace_checks.cc
Answers userns_allowed(const Facts& facts);
Answers userns_kinds(const Facts& facts);
Answers userns_proc(const Facts& facts);
Answers userns_apparmor(const Facts& facts);
Answers userns_filter(const Facts& facts);
Answers userns_container(const Facts& facts);

// backend_checks.cc
Answers backend_default(const Facts& facts);
Answers backend_each(const Facts& facts);

// install_checks.cc
Answers install_warden(const Facts& facts);
Answers install_program(const Facts& facts);
Answers config_user(const Facts& facts);

// harness_checks.cc
Answers harness_each(const Facts& facts);

// git_checks.cc
Answers git_program(const Facts& facts);
Answers git_version(const Facts& facts);
Answers git_repository(const Facts& facts);
Answers git_safe_directory(const Facts& facts);
Answers git_identity(const Facts& facts);
Answers git_lfs(const Facts& facts);

// network_checks.cc
Answers network_certificates(const Facts& facts);
Answers network_dns(const Facts& facts);
Answers network_proxy(const Facts& facts);

// terminal_checks.cc
Answers terminal_type(const Facts& facts);
Answers terminal_size(const Facts& facts);
Answers terminal_encoding(const Facts& facts);
Answers terminal_multiplexer(const Facts& facts);

// storage_checks.cc
Answers storage_state(const Facts& facts);
Answers storage_config(const Facts& facts);
Answers storage_data(const Facts& facts);
Answers storage_cache(const Facts& facts);
Answers storage_runtime(const Facts& facts);

}  // namespace paddock::doctor
