// From the table to a program: a prologue of our own, then what libseccomp makes of the plain rows.
// Build time and tests only. A fault in the table stops the process with a message: there is no
// caller that could go on with half a filter.
#pragma once

#include "backend/filter/syscall_table.h"

#include <linux/filter.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace paddock {

// All rows of one call that belong to a variant, in the table's order; never empty.
struct JudgedCall {
  std::uint32_t number;
  std::vector<SyscallRow> rows;
};

// The row's number on this architecture; nothing where the architecture has no such call.
[[nodiscard]] std::optional<std::uint32_t> number_of(const SyscallRow& row);

// The variant's calls, by number.
[[nodiscard]] std::vector<JudgedCall> judged_calls(FilterNesting nesting, FilterPrivilege privilege);

// True where the order of the rows matters, because their verdicts differ. libseccomp keeps no order
// between the rules of one call, so such calls are decided in the prologue.
[[nodiscard]] bool is_ordered(const JudgedCall& call);

// Architecture and number checks, then the ordered calls. Jumps only within itself; falls through
// at its end, so that any complete program may follow. The accumulator then holds the number.
[[nodiscard]] std::vector<sock_filter> compile_prologue(const std::vector<JudgedCall>& ordered);

// A complete program for calls whose rows may be tried in any order.
[[nodiscard]] std::vector<sock_filter> compile_with_libseccomp(const std::vector<JudgedCall>& plain);

// The whole program of a variant.
[[nodiscard]] std::vector<sock_filter> compile_filter(FilterNesting nesting, FilterPrivilege privilege);

// Ends the process after printing what is wrong with the table.
[[noreturn]] void stop_build(std::string_view what, std::string_view where);

}  // namespace paddock
