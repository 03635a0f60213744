#include "backend/filter/filter_compiler.h"

#include <seccomp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace paddock {

std::optional<std::uint32_t> number_of(FilterArchitecture architecture, const SyscallRow& row) {
  const int known = seccomp_syscall_resolve_name_arch(static_cast<std::uint32_t>(architecture), std::string(row.name).c_str());
  if (known == __NR_SCMP_ERROR) {
    if (row.number < 0) stop_build("unknown system call without a number", row.name);
    return static_cast<std::uint32_t>(row.number);
  }
  if (known < 0) return std::nullopt;  // libseccomp's pseudo number: a call of other architectures
  if (row.number >= 0 && row.number != known) stop_build("number differs from libseccomp's", row.name);
  return static_cast<std::uint32_t>(known);
}

std::vector<JudgedCall> judged_calls(FilterArchitecture architecture, FilterNesting nesting, FilterPrivilege privilege) {
  std::map<std::uint32_t, std::vector<SyscallRow>> by_number;
  for (const SyscallRow& row : syscall_table()) {
    if (!row.variants.contain(nesting, privilege)) continue;
    const std::optional<std::uint32_t> number = number_of(architecture, row);
    if (!number) continue;
    if (*number > highest_known_number) stop_build("number above the highest known one", row.name);
    by_number[*number].push_back(row);
  }
  std::vector<JudgedCall> calls;
  for (auto& [number, rows] : by_number) calls.push_back({number, std::move(rows)});
  return calls;
}

bool is_ordered(const JudgedCall& call) {
  return std::ranges::any_of(call.rows, [&](const SyscallRow& row) { return row.verdict != call.rows[0].verdict; });
}

bool is_translatable(const JudgedCall& call) { return seccomp_syscall_resolve_name(std::string(call.rows[0].name).c_str()) >= 0; }

std::vector<sock_filter> compile_filter(FilterArchitecture architecture, FilterNesting nesting, FilterPrivilege privilege) {
  std::vector<JudgedCall> first;
  std::vector<JudgedCall> plain;
  for (JudgedCall& call : judged_calls(architecture, nesting, privilege)) {
    (is_ordered(call) || !is_translatable(call) ? first : plain).push_back(std::move(call));
  }
  std::vector<sock_filter> program = compile_prologue(architecture, first);
  const std::vector<sock_filter> rest = compile_with_libseccomp(architecture, plain);
  program.insert(program.end(), rest.begin(), rest.end());  // jumps are relative: they stay right
  if (program.size() > BPF_MAXINSNS) stop_build("longer than the kernel takes", "filter");
  return program;
}

void stop_build(std::string_view what, std::string_view where) {
  std::fprintf(stderr, "system-call filter: %.*s: %.*s\n", static_cast<int>(where.size()), where.data(),
               static_cast<int>(what.size()), what.data());
  std::exit(1);
}

}  // namespace paddock
