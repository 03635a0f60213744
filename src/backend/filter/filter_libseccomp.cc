#include "backend/filter/filter_compiler.h"

#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <memory>
#include <string>

namespace paddock {
namespace {

using Context = std::unique_ptr<void, decltype(&seccomp_release)>;
using Conjunction = std::vector<scmp_arg_cmp>;

void require(int result, std::string_view what) {
  if (result < 0) stop_build("libseccomp refused it", what);
}

// The masked compares of which one must hold: libseccomp knows no "any of these bits", so such a
// test becomes one compare for each bit.
std::vector<scmp_arg_cmp> alternatives(const ArgumentTest& test) {
  if (test.kind == ArgumentTest::Kind::equals) {
    return {{test.argument, SCMP_CMP_MASKED_EQ, test.mask, test.value}};
  }
  std::vector<scmp_arg_cmp> bits;
  for (std::uint32_t bit = 1; bit != 0; bit <<= 1U) {
    if ((test.mask & bit) != 0) bits.push_back({test.argument, SCMP_CMP_MASKED_EQ, bit, bit});
  }
  return bits;
}

// Every choice of one alternative for each test: the row as conjunctions.
std::vector<Conjunction> conjunctions(const SyscallRow& row) {
  std::vector<Conjunction> all{{}};
  for (const ArgumentTest& test : row.tests) {
    std::vector<Conjunction> longer;
    for (const Conjunction& conjunction : all) {
      for (const scmp_arg_cmp& alternative : alternatives(test)) {
        longer.push_back(conjunction);
        longer.back().push_back(alternative);
      }
    }
    all = std::move(longer);
  }
  return all;
}

// Rules are given by this machine's numbers, which libseccomp translates by name.
int native_number(const JudgedCall& call) {
  const int number = seccomp_syscall_resolve_name(std::string(call.rows[0].name).c_str());
  require(number, call.rows[0].name);
  return number;
}

void add_call(const Context& context, const JudgedCall& call) {
  for (const SyscallRow& row : call.rows) {
    if (row.verdict == verdict_allow) stop_build("allows, but refuses nothing", row.name);
    for (const Conjunction& conjunction : conjunctions(row)) {
      require(seccomp_rule_add_exact_array(context.get(), row.verdict, native_number(call),
                                           static_cast<unsigned>(conjunction.size()), conjunction.data()),
              row.name);
    }
  }
}

// libseccomp 2.5.4 exports to descriptors alone.
std::vector<sock_filter> exported(const Context& context) {
  const int file = memfd_create("filter", MFD_CLOEXEC);
  require(file, "memfd_create");
  require(seccomp_export_bpf(context.get(), file), "export");
  std::vector<sock_filter> program(static_cast<std::size_t>(lseek(file, 0, SEEK_END)) / sizeof(sock_filter));
  const std::size_t bytes = program.size() * sizeof(sock_filter);
  if (pread(file, program.data(), bytes, 0) != static_cast<ssize_t>(bytes)) stop_build("short read", "export");
  close(file);
  return program;
}

}  // namespace

std::vector<sock_filter> compile_with_libseccomp(FilterArchitecture architecture, const std::vector<JudgedCall>& plain) {
  const Context context(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release);
  if (context == nullptr) stop_build("no context", "libseccomp");
  if (architecture != native_architecture) {
    require(seccomp_arch_add(context.get(), static_cast<std::uint32_t>(architecture)), "architecture");
    require(seccomp_arch_remove(context.get(), SCMP_ARCH_NATIVE), "architecture");
  }
  require(seccomp_attr_set(context.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS), "bad architecture");
  require(seccomp_attr_set(context.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2), "binary tree");
  for (const JudgedCall& call : plain) add_call(context, call);
  return exported(context);
}

}  // namespace paddock
