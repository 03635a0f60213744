// Writes the files of one folder of share/ as data of the program: their text, and the tree that it says.
// Usage: generate_embedded OUTPUT FUNCTION FILE…   At build time; a file that is not TOML stops the build.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/core.h>

#include "policy/toml_tree.h"

namespace {

using namespace paddock;

// Every byte as \xNN: no quote, backslash or trigraph can matter.
std::string literal(std::string_view bytes) {
  constexpr std::size_t in_a_line = 32;
  std::string text = "std::string_view(\"";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i != 0 && i % in_a_line == 0) text += "\"\n     \"";
    text += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes[i]));
  }
  return text + fmt::format("\", {})", bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  std::string rows;
  for (int i = 3; i < argc; ++i) {
    std::ostringstream text;
    text << std::ifstream(argv[i], std::ios::binary).rdbuf();
    const auto document = parse_toml(text.str(), argv[i], ErrorCode::usage);
    if (!document) {
      std::fprintf(stderr, "%s\n", document.failure().message.c_str());
      return 1;
    }
    const std::string name = std::filesystem::path(argv[i]).stem();
    rows += fmt::format("    {{\"{}\",\n     {{{},\n      {}}}}},\n", name, literal(text.str()), literal(write_tree(*document)));
  }
  std::ofstream output(argv[1]);
  output << fmt::format("// Generated from share/ by src/policy/generate_embedded.cc.\n#include \"policy/embedded.h\"\n\n#include <array>\n\n"
                        "namespace paddock {{\n\nstd::span<const EmbeddedFile> {}() {{\n"
                        "  static constexpr std::array<EmbeddedFile, {}> files = {{{{\n{}  }}}};\n  return files;\n}}\n\n}}  // namespace paddock\n",
                        argv[2], argc - 3, rows);
  return output.flush() ? 0 : 1;
}
