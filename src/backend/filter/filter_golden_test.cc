// The verdict for every number 0 to 1023 with zero arguments, of each architecture's filter on its own calls and
// on foreign ones, as pictures. UPDATE_GOLDEN=1 rewrites them.
#include "backend/filter/filter_compiler.h"
#include "backend/filter/filter_test_support.h"

#include <gtest/gtest.h>
#include <seccomp.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace paddock {
namespace {

constexpr int numbers_end = 1024;

struct CallKind {
  const char* name;
  std::uint32_t audit_arch;
  std::uint32_t number_bits;
};

constexpr CallKind calls_on_x86_64[] = {
    {"x86_64", AUDIT_ARCH_X86_64, 0}, {"i386", AUDIT_ARCH_I386, 0}, {"x32", AUDIT_ARCH_X86_64, x32_bit}};
constexpr CallKind calls_on_aarch64[] = {{"aarch64", AUDIT_ARCH_AARCH64, 0}, {"arm", AUDIT_ARCH_ARM, 0}};

struct Picture {
  FilterArchitecture architecture;
  std::span<const CallKind> calls;
  const char* file;
};

constexpr Picture pictures[] = {{FilterArchitecture::x86_64, calls_on_x86_64, "/verdicts_x86_64.txt"},
                                {FilterArchitecture::aarch64, calls_on_aarch64, "/verdicts_aarch64.txt"}};

// The table's name where it has one, so that numbers which libseccomp does not know have names too.
std::string name_of(FilterArchitecture architecture, int number) {
  for (const SyscallRow& row : syscall_table()) {
    if (row.number == number) return std::string(row.name);
  }
  char* known = seccomp_syscall_resolve_num_arch(static_cast<std::uint32_t>(architecture), number);
  std::string name = known == nullptr ? "-" : known;
  std::free(known);
  return name;
}

std::string verdict_of(std::span<const sock_filter> program, const CallKind& kind, int number) {
  seccomp_data call{};
  call.arch = kind.audit_arch;
  call.nr = static_cast<int>(static_cast<std::uint32_t>(number) | kind.number_bits);
  return verdict_text(run_filter(program, call));
}

void write_run(std::ostream& out, FilterArchitecture architecture, int first, int last, const std::string& verdict) {
  out << "  " << first;
  if (last != first) out << "-" << last;
  out << " " << verdict;
  const bool named = verdict != "allow" && verdict != "kill" && last <= static_cast<int>(highest_known_number);
  for (int number = first; named && number <= last; ++number) out << " " << name_of(architecture, number);
  out << "\n";
}

void write_runs(std::ostream& out, FilterArchitecture architecture, std::span<const sock_filter> program, const CallKind& kind) {
  int first = 0;
  std::string verdict = verdict_of(program, kind, 0);
  for (int number = 1; number <= numbers_end; ++number) {
    const std::string next = number == numbers_end ? "" : verdict_of(program, kind, number);
    if (next == verdict) continue;
    write_run(out, architecture, first, number - 1, verdict);
    first = number;
    verdict = next;
  }
}

std::string file_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(FilterGolden, EveryNumberOnEveryArchitecture) {
  for (const Picture& picture : pictures) {
    std::ostringstream actual;
    for (const TestedVariant& variant : tested_variants) {
      const std::vector<sock_filter> program = compile_filter(picture.architecture, variant.nesting, variant.privilege);
      for (const CallKind& kind : picture.calls) {
        actual << variant.name << ", " << kind.name << "\n";
        write_runs(actual, picture.architecture, program, kind);
      }
    }
    const std::string path = std::string(PADDOCK_FILTER_GOLDEN) + picture.file;
    if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(path) << actual.str();
    EXPECT_EQ(actual.str(), file_text(path));
  }
}

}  // namespace
}  // namespace paddock
