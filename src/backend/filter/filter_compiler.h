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

// The row's number on an architecture; nothing where the architecture has no such call.
[[nodiscard]] std::optional<std::uint32_t> number_of(FilterArchitecture architecture, const SyscallRow& row);

// The variant's calls, by number.
[[nodiscard]] std::vector<JudgedCall> judged_calls(FilterArchitecture architecture, FilterNesting nesting, FilterPrivilege privilege);

// True where the order of the rows matters, because their verdicts differ. libseccomp keeps no order
// between the rules of one call, so such calls are decided in the prologue.
[[nodiscard]] bool is_ordered(const JudgedCall& call);

// True where libseccomp knows the call by name. It translates every other architecture's from its own
// machine's numbers, so that it can say nothing of calls newer than itself: those are the prologue's too.
[[nodiscard]] bool is_translatable(const JudgedCall& call);

// Architecture and number checks, then the given calls. Jumps only within itself; falls through
// at its end, so that any complete program may follow. The accumulator then holds the number.
[[nodiscard]] std::vector<sock_filter> compile_prologue(FilterArchitecture architecture, const std::vector<JudgedCall>& ordered);

// A complete program for calls whose rows may be tried in any order.
[[nodiscard]] std::vector<sock_filter> compile_with_libseccomp(FilterArchitecture architecture, const std::vector<JudgedCall>& plain);

// The whole program of a variant.
[[nodiscard]] std::vector<sock_filter> compile_filter(FilterArchitecture architecture, FilterNesting nesting, FilterPrivilege privilege);

// Ends the process after printing what is wrong with the table.
[[noreturn]] void stop_build(std::string_view what, std::string_view where);

}  // namespace paddock
