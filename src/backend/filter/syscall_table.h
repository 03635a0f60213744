// What is refused, as data: the one table that every backend's filter is made from.
// Used at build time and by tests; no program of the product links it.
#pragma once

#include "backend/filter/syscall_filter.h"

#include <linux/audit.h>
#include <linux/seccomp.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace paddock {

// The highest number in this table's kernel, Linux 6.18: file_setattr, asm-generic/unistd.h (x86_64
// and aarch64 share the numbers from 424 on). A call above it has not been judged and does not exist
// for the payload. Raising this means reading what each new call does.
inline constexpr std::uint32_t highest_known_number = 469;

// What a program is made for; it may be another one than this machine's. The values are the kernel's and
// libseccomp's own. Of the constants in the table only those are used that both have alike.
enum class FilterArchitecture : std::uint32_t { x86_64 = AUDIT_ARCH_X86_64, aarch64 = AUDIT_ARCH_AARCH64 };

#if defined(__x86_64__)
inline constexpr FilterArchitecture native_architecture = FilterArchitecture::x86_64;
#elif defined(__aarch64__)
inline constexpr FilterArchitecture native_architecture = FilterArchitecture::aarch64;
#else
#error "the system-call table has not been checked on this architecture"
#endif

// A number with this bit is an x32 call on x86_64 (__X32_SYSCALL_BIT).
inline constexpr std::uint32_t x32_bit = 0x40000000;

// The word that a seccomp program returns.
using Verdict = std::uint32_t;
inline constexpr Verdict verdict_allow = SECCOMP_RET_ALLOW;
inline constexpr Verdict verdict_kill = SECCOMP_RET_KILL_PROCESS;
constexpr Verdict verdict_errno(int error) { return SECCOMP_RET_ERRNO | static_cast<Verdict>(error); }

// A test of the low 32 bits of one argument. The high half is never looked at: the kernel drops it
// from every argument named in the table, so a test of all 64 bits is passed by `TIOCSTI | 1<<32`.
struct ArgumentTest {
  enum class Kind { equals, any_bit };
  unsigned argument = 0;  // 0 to 5
  Kind kind = Kind::equals;
  std::uint32_t mask = 0xffffffff;
  std::uint32_t value = 0;  // equals only

  [[nodiscard]] bool holds(std::uint64_t argument_value) const;
};

// (argument & mask) == value
constexpr ArgumentTest masked(unsigned argument, std::uint32_t mask, std::uint32_t value) {
  return {argument, ArgumentTest::Kind::equals, mask, value};
}
// argument == value
constexpr ArgumentTest equals(unsigned argument, std::uint32_t value) { return masked(argument, 0xffffffff, value); }
// (argument & mask) != 0
constexpr ArgumentTest any_bit(unsigned argument, std::uint32_t mask) {
  return {argument, ArgumentTest::Kind::any_bit, mask, 0};
}

// The variants that a row belongs to.
struct Variants {
  bool off = true;
  bool browser = true;
  bool full = true;
  bool ordinary = true;

  [[nodiscard]] bool contain(FilterNesting nesting, FilterPrivilege privilege) const;
};

// Rows of one call are read in order: the first row of the variant whose tests all hold decides;
// where none does, the call is allowed.
struct SyscallRow {
  std::string_view name;
  std::vector<ArgumentTest> tests;
  Verdict verdict;
  Variants variants;
  std::string_view reason;
  int number = -1;  // for names newer than libseccomp 2.5.4; on x86_64 and aarch64 alike
};

[[nodiscard]] std::vector<SyscallRow> syscall_table();

}  // namespace paddock
