// Build-time program: writes every variant's filter for one architecture as constant data, in C++:
// generate_filter x86_64|aarch64 FILE. The output depends on the table and libseccomp's version.
#include "backend/filter/filter_compiler.h"

#include <cstdio>

namespace paddock {
namespace {

struct NamedVariant {
  const char* name;
  FilterNesting nesting;
  FilterPrivilege privilege;
};

constexpr NamedVariant named_variants[] = {
    {"off_ordinary", FilterNesting::off, FilterPrivilege::ordinary},
    {"off_real_root", FilterNesting::off, FilterPrivilege::real_root},
    {"browser_ordinary", FilterNesting::browser, FilterPrivilege::ordinary},
    {"browser_real_root", FilterNesting::browser, FilterPrivilege::real_root},
    {"full_ordinary", FilterNesting::full, FilterPrivilege::ordinary},
    {"full_real_root", FilterNesting::full, FilterPrivilege::real_root},
};

struct NamedArchitecture {
  std::string_view name;
  FilterArchitecture architecture;
};

constexpr NamedArchitecture named_architectures[] = {{"x86_64", FilterArchitecture::x86_64}, {"aarch64", FilterArchitecture::aarch64}};

FilterArchitecture architecture_named(std::string_view name) {
  for (const NamedArchitecture& known : named_architectures) {
    if (known.name == name) return known.architecture;
  }
  stop_build("is no architecture that the table was checked for", name);
}

void write_program(std::FILE* file, FilterArchitecture architecture, const NamedVariant& variant) {
  const std::vector<sock_filter> program = compile_filter(architecture, variant.nesting, variant.privilege);
  std::fprintf(file, "constexpr sock_filter %s[%zu] = {\n", variant.name, program.size());
  for (const sock_filter& word : program) {
    std::fprintf(file, "    {0x%02x, %u, %u, 0x%08x},\n", word.code, word.jt, word.jf, word.k);
  }
  std::fprintf(file, "};\n");
}

}  // namespace
}  // namespace paddock

int main(int argc, char** argv) {
  if (argc != 3) paddock::stop_build("needs an architecture and the name of the file to write", "generate_filter");
  const paddock::FilterArchitecture architecture = paddock::architecture_named(argv[1]);
  std::FILE* file = std::fopen(argv[2], "we");
  if (file == nullptr) paddock::stop_build("cannot be written", argv[2]);
  for (const paddock::NamedVariant& variant : paddock::named_variants) paddock::write_program(file, architecture, variant);
  if (std::fclose(file) != 0) paddock::stop_build("cannot be written", argv[2]);
  return 0;
}
