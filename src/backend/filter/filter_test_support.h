// Test only: the variants, and short ways to ask what a variant does with a call.
#pragma once

#include "backend/filter/bpf_interpreter.h"
#include "backend/filter/syscall_filter.h"
#include "backend/filter/syscall_table.h"

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>

namespace paddock {

struct TestedVariant {
  FilterNesting nesting;
  FilterPrivilege privilege;
  const char* name;

  [[nodiscard]] std::span<const sock_filter> program() const { return syscall_filter(nesting, privilege); }
};

inline constexpr TestedVariant off{FilterNesting::off, FilterPrivilege::ordinary, "off, ordinary"};
inline constexpr TestedVariant browser{FilterNesting::browser, FilterPrivilege::ordinary, "browser, ordinary"};
inline constexpr TestedVariant full{FilterNesting::full, FilterPrivilege::ordinary, "full, ordinary"};
inline constexpr TestedVariant off_root{FilterNesting::off, FilterPrivilege::real_root, "off, real_root"};
inline constexpr TestedVariant browser_root{FilterNesting::browser, FilterPrivilege::real_root, "browser, real_root"};
inline constexpr TestedVariant full_root{FilterNesting::full, FilterPrivilege::real_root, "full, real_root"};
inline constexpr TestedVariant tested_variants[] = {off, off_root, browser, browser_root, full, full_root};

inline seccomp_data native_call(long number, std::initializer_list<std::uint64_t> arguments = {}) {
  seccomp_data call{};
  call.nr = static_cast<int>(number);
  call.arch = static_cast<std::uint32_t>(native_architecture);
  std::size_t at = 0;
  for (const std::uint64_t argument : arguments) call.args[at++] = argument;
  return call;
}

// "allow", "kill", "EPERM"..., or what is wrong.
inline std::string verdict_text(std::optional<Verdict> verdict) {
  if (!verdict) return "malformed program";
  if (*verdict == verdict_allow) return "allow";
  if (*verdict == verdict_kill) return "kill";
  const char* name = strerrorname_np(static_cast<int>(*verdict & SECCOMP_RET_DATA));
  if ((*verdict & SECCOMP_RET_ACTION_FULL) != SECCOMP_RET_ERRNO || name == nullptr) return "unexpected verdict";
  return name;
}

inline std::string judge(const TestedVariant& variant, long number, std::initializer_list<std::uint64_t> arguments) {
  return verdict_text(run_filter(variant.program(), native_call(number, arguments)));
}

}  // namespace paddock
