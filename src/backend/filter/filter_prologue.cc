#include "backend/filter/filter_compiler.h"

#include <cerrno>
#include <cstddef>

namespace paddock {
namespace {

using Program = std::vector<sock_filter>;

sock_filter load(std::size_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
sock_filter give(Verdict verdict) { return BPF_STMT(BPF_RET | BPF_K, verdict); }

// Runs the next instruction where the comparison holds, else skips `otherwise` of them.
sock_filter unless(std::uint16_t comparison, std::uint32_t value, std::size_t otherwise) {
  if (otherwise > 255) stop_build("jump too long", "prologue");
  return BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | comparison | BPF_K), value, 0,
                  static_cast<std::uint8_t>(otherwise));
}

void append(Program& program, const Program& more) { program.insert(program.end(), more.begin(), more.end()); }

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the low half of an argument is taken to come first"
#endif
std::size_t low_half(unsigned argument) {
  return offsetof(seccomp_data, args) + argument * sizeof(seccomp_data::args[0]);
}

// Puts one test in front of a row's remaining instructions, which it skips where it does not hold.
Program guarded(const ArgumentTest& test, const Program& guarded_part) {
  Program program{load(low_half(test.argument))};
  if (test.kind == ArgumentTest::Kind::any_bit) {
    program.push_back(unless(BPF_JSET, test.mask, guarded_part.size()));
  } else {
    if (test.mask != 0xffffffff) program.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, test.mask));
    program.push_back(unless(BPF_JEQ, test.value, guarded_part.size()));
  }
  append(program, guarded_part);
  return program;
}

Program compile_row(const SyscallRow& row) {
  Program program{give(row.verdict)};
  for (auto test = row.tests.rbegin(); test != row.tests.rend(); ++test) program = guarded(*test, program);
  return program;
}

// Decides the call completely; skipped, with the number still loaded, for every other call.
Program compile_call(const JudgedCall& call) {
  Program block;
  for (const SyscallRow& row : call.rows) append(block, compile_row(row));
  if (!call.rows.back().tests.empty()) block.push_back(give(verdict_allow));
  Program program{unless(BPF_JEQ, call.number, block.size())};
  append(program, block);
  return program;
}

// Every x32 number has the bit; so has -1, with which a tracer cancels a call (and which the kernel
// answers with ENOSYS): killing on it would kill what strace and gdb inject into.
Program compile_number_check(FilterArchitecture architecture) {
  Program program;
  if (architecture == FilterArchitecture::x86_64) {
    append(program, {unless(BPF_JGE, x32_bit, 3), unless(BPF_JEQ, 0xffffffff, 1), give(verdict_errno(ENOSYS)),
                     give(verdict_kill)});
  }
  append(program, {unless(BPF_JGT, highest_known_number, 1), give(verdict_errno(ENOSYS))});
  return program;
}

}  // namespace

std::vector<sock_filter> compile_prologue(FilterArchitecture architecture, const std::vector<JudgedCall>& ordered) {
  // The architecture first: a number means nothing without it.
  Program program{load(offsetof(seccomp_data, arch)),
                  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(architecture), 1, 0), give(verdict_kill)};
  program.push_back(load(offsetof(seccomp_data, nr)));
  append(program, compile_number_check(architecture));

  // From here on the call is a native one with a known number, and the number is loaded.

  for (const JudgedCall& call : ordered) append(program, compile_call(call));
  return program;
}

}  // namespace paddock
