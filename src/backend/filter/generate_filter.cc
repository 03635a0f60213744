// Build-time program: writes every variant's filter as constant data, in C++, to the file named by
// its one argument. The output depends on the table, libseccomp's version and the architecture.
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

void write_program(std::FILE* file, const NamedVariant& variant) {
  const std::vector<sock_filter> program = compile_filter(variant.nesting, variant.privilege);
  std::fprintf(file, "constexpr sock_filter %s[%zu] = {\n", variant.name, program.size());
  for (const sock_filter& word : program) {
    std::fprintf(file, "    {0x%02x, %u, %u, 0x%08x},\n", word.code, word.jt, word.jf, word.k);
  }
  std::fprintf(file, "};\n");
}

}  // namespace
}  // namespace paddock

int main(int argc, char** argv) {
  if (argc != 2) paddock::stop_build("needs the name of the file to write", "generate_filter");
  std::FILE* file = std::fopen(argv[1], "we");
  if (file == nullptr) paddock::stop_build("cannot be written", argv[1]);
  for (const paddock::NamedVariant& variant : paddock::named_variants) paddock::write_program(file, variant);
  if (std::fclose(file) != 0) paddock::stop_build("cannot be written", argv[1]);
  return 0;
}
