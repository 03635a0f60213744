// The verdict for every number 0 to 1023 on three architectures with zero arguments, as a picture.
// UPDATE_GOLDEN=1 rewrites it.
#include "backend/filter/filter_test_support.h"

#include <gtest/gtest.h>
#include <seccomp.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace paddock {
namespace {

constexpr int numbers_end = 1024;

struct TestedArchitecture {
  const char* name;
  std::uint32_t audit_arch;
  std::uint32_t number_bits;
};

constexpr TestedArchitecture tested_architectures[] = {
    {"x86_64", AUDIT_ARCH_X86_64, 0}, {"i386", AUDIT_ARCH_I386, 0}, {"x32", AUDIT_ARCH_X86_64, x32_bit}};

// The table's name where it has one, so that numbers which libseccomp does not know have names too.
std::string name_of(int number) {
  for (const SyscallRow& row : syscall_table()) {
    if (row.number == number) return std::string(row.name);
  }
  char* known = seccomp_syscall_resolve_num_arch(SCMP_ARCH_X86_64, number);
  std::string name = known == nullptr ? "-" : known;
  std::free(known);
  return name;
}

std::string verdict_of(const TestedVariant& variant, const TestedArchitecture& architecture, int number) {
  seccomp_data call{};
  call.arch = architecture.audit_arch;
  call.nr = static_cast<int>(static_cast<std::uint32_t>(number) | architecture.number_bits);
  return verdict_text(run_filter(variant.program(), call));
}

void write_run(std::ostream& out, int first, int last, const std::string& verdict) {
  out << "  " << first;
  if (last != first) out << "-" << last;
  out << " " << verdict;
  const bool named = verdict != "allow" && verdict != "kill" && last <= static_cast<int>(highest_known_number);
  for (int number = first; named && number <= last; ++number) out << " " << name_of(number);
  out << "\n";
}

void write_runs(std::ostream& out, const TestedVariant& variant, const TestedArchitecture& architecture) {
  out << variant.name << ", " << architecture.name << "\n";
  int first = 0;
  std::string verdict = verdict_of(variant, architecture, 0);
  for (int number = 1; number <= numbers_end; ++number) {
    const std::string next = number == numbers_end ? "" : verdict_of(variant, architecture, number);
    if (next == verdict) continue;
    write_run(out, first, number - 1, verdict);
    first = number;
    verdict = next;
  }
}

std::string file_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(FilterGolden, EveryNumberOnThreeArchitectures) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "the golden table is for x86_64";
#endif
  std::ostringstream actual;
  for (const TestedVariant& variant : tested_variants) {
    for (const TestedArchitecture& architecture : tested_architectures) write_runs(actual, variant, architecture);
  }
  const std::string path = PADDOCK_FILTER_GOLDEN "/verdicts_x86_64.txt";
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(path) << actual.str();
  EXPECT_EQ(actual.str(), file_text(path));
}

}  // namespace
}  // namespace paddock
