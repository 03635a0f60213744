#include "backend/filter/filter_compiler.h"

#include "backend/filter/filter_test_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <random>

namespace paddock {
namespace {

constexpr Verdict marker = SECCOMP_RET_ERRNO | 999;

// What the table says, read row by row.
Verdict table_verdict(const std::vector<JudgedCall>& calls, const seccomp_data& call) {
  for (const JudgedCall& judged : calls) {
    if (judged.number != static_cast<std::uint32_t>(call.nr)) continue;
    for (const SyscallRow& row : judged.rows) {
      const auto holds = [&](const ArgumentTest& test) { return test.holds(call.args[test.argument]); };
      if (std::ranges::all_of(row.tests, holds)) return row.verdict;
    }
  }
  return verdict_allow;
}

// Every mask, value and bit that the table names, and their neighbours: where a filter can go wrong.
std::vector<std::uint32_t> telling_values() {
  std::vector<std::uint32_t> values{0, 1, ~0U};
  for (const SyscallRow& row : syscall_table()) {
    for (const ArgumentTest& test : row.tests) {
      values.insert(values.end(), {test.value, test.value ^ 1U, test.value ^ 0x80000000U, test.mask, ~test.mask});
      for (unsigned bit = 0; bit < 32; ++bit) values.push_back(test.mask & (1U << bit));
    }
  }
  return values;
}

class FilterCompiler : public testing::TestWithParam<TestedVariant> {};

void expect_decides_as_the_table(const TestedVariant& variant, FilterArchitecture architecture, std::span<const sock_filter> program) {
  const std::vector<JudgedCall> calls = judged_calls(architecture, variant.nesting, variant.privilege);
  const std::vector<std::uint32_t> values = telling_values();
  std::mt19937_64 random(1);
  for (int round = 0; round < 200000; ++round) {
    const std::uint32_t number = round % 4 == 0 ? static_cast<std::uint32_t>(random() % (highest_known_number + 1))
                                                : calls[random() % calls.size()].number;
    seccomp_data call = native_call(number);
    call.arch = static_cast<std::uint32_t>(architecture);
    for (auto& argument : call.args) {
      argument = values[random() % values.size()] | values[random() % values.size()];
      if (random() % 2 == 0) argument |= random() << 32U;
    }
    const std::optional<Verdict> verdict = run_filter(program, call);
    ASSERT_EQ(verdict_text(verdict), verdict_text(table_verdict(calls, call)))
        << number << " " << std::hex << call.args[0] << " " << call.args[1] << " " << call.args[2];
  }
}

TEST_P(FilterCompiler, ProgramDecidesAsTheTableDoes) { expect_decides_as_the_table(GetParam(), native_architecture, GetParam().program()); }

TEST_P(FilterCompiler, ProgramForAnotherArchitectureDecidesAsTheTableDoes) {
  for (const FilterArchitecture other : {FilterArchitecture::x86_64, FilterArchitecture::aarch64}) {
    if (other == native_architecture) continue;
    expect_decides_as_the_table(GetParam(), other, compile_filter(other, GetParam().nesting, GetParam().privilege));
  }
}

TEST_P(FilterCompiler, EmbeddedProgramIsTheTablesOwn) {
  const std::vector<sock_filter> made = compile_filter(native_architecture, GetParam().nesting, GetParam().privilege);
  const std::span<const sock_filter> embedded = GetParam().program();
  const auto same = [](const sock_filter& a, const sock_filter& b) {
    return a.code == b.code && a.jt == b.jt && a.jf == b.jf && a.k == b.k;
  };
  EXPECT_TRUE(std::ranges::equal(made, embedded, same));
  EXPECT_LE(embedded.size(), 512U);  // the kernel takes 4096
}

TEST_P(FilterCompiler, EveryJumpLandsInsideAndTheLastInstructionReturns) {
  const std::span<const sock_filter> program = GetParam().program();
  for (std::size_t at = 0; at < program.size(); ++at) {
    const sock_filter& word = program[at];
    if (BPF_CLASS(word.code) != BPF_JMP) continue;
    const std::size_t furthest = word.code == (BPF_JMP | BPF_JA) ? word.k : std::max(word.jt, word.jf);
    EXPECT_LT(at + 1 + furthest, program.size()) << at;
  }
  EXPECT_EQ(program.back().code, BPF_RET | BPF_K);
}

INSTANTIATE_TEST_SUITE_P(EveryVariant, FilterCompiler, testing::ValuesIn(tested_variants),
                         [](const auto& parameter) { return std::to_string(parameter.index); });

// A prologue with a marker where libseccomp's program would begin.
std::optional<Verdict> run_prologue(const std::vector<JudgedCall>& ordered, const seccomp_data& call) {
  std::vector<sock_filter> program = compile_prologue(native_architecture, ordered);
  program.push_back(BPF_STMT(BPF_RET | BPF_K, marker));
  return run_filter(program, call);
}

TEST(FilterPrologue, FirstRowThatHoldsDecides) {
  const Verdict eperm = verdict_errno(EPERM);
  const Verdict enotty = verdict_errno(ENOTTY);
  const std::vector<JudgedCall> ordered = {
      {7,
       {{"seven", {equals(0, 1)}, verdict_allow, {}, ""},
        {"seven", {any_bit(0, 3), masked(5, 0xf0, 0x20)}, eperm, {}, ""}}},
      {9, {{"nine", {equals(1, 4)}, enotty, {}, ""}, {"nine", {}, eperm, {}, ""}}}};
  EXPECT_EQ(run_prologue(ordered, native_call(7, {1, 0, 0, 0, 0, 0x20})), verdict_allow);
  EXPECT_EQ(run_prologue(ordered, native_call(7, {2, 0, 0, 0, 0, 0x2f})), eperm);
  EXPECT_EQ(run_prologue(ordered, native_call(7, {2, 0, 0, 0, 0, 0x30})), verdict_allow);
  EXPECT_EQ(run_prologue(ordered, native_call(7, {4, 0, 0, 0, 0, 0x20})), verdict_allow);
  EXPECT_EQ(run_prologue(ordered, native_call(9, {0, 4})), enotty);
  EXPECT_EQ(run_prologue(ordered, native_call(9, {0, 5})), eperm);
  EXPECT_EQ(run_prologue(ordered, native_call(8)), marker);
}

TEST(FilterPrologue, ArchitectureComesBeforeTheNumber) {
  seccomp_data call = native_call(highest_known_number + 1);
  EXPECT_EQ(run_prologue({}, call), verdict_errno(ENOSYS));
  call.arch = AUDIT_ARCH_I386;
  EXPECT_EQ(run_prologue({}, call), verdict_kill);
}

TEST(SyscallTable, EveryRowSaysWhy) {
  for (const SyscallRow& row : syscall_table()) EXPECT_FALSE(row.reason.empty()) << row.name;
}

}  // namespace
}  // namespace paddock
