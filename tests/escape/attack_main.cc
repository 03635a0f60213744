// attack PROGRAM [NAME=VALUE]...: runs inside a sandbox and tries everything that PROGRAM is about.
#include "attempt.h"

#include <cstdio>
#include <string_view>

namespace {

struct Program {
  std::string_view name;
  void (*run)(const attack::Options&);
};

constexpr Program programs[] = {
    {"pid1", attack::pid1},         {"procsys", attack::procsys},   {"sysnum", attack::sysnum},
    {"suidcap", attack::suidcap},   {"names", attack::names},       {"maskback", attack::maskback},
    {"fdreopen", attack::fdreopen}, {"sockets", attack::sockets},   {"tty", attack::tty},
    {"limits", attack::limits},     {"nested", attack::nested},
    {"neighbour", attack::neighbour},
};

}  // namespace

int main(int argc, char** argv) {
  for (const Program& program : programs) {
    if (argc < 2 || program.name != argv[1]) continue;
    program.run(attack::Options(argc - 2, argv + 2));
    std::puts("end");
    return 0;
  }
  std::fputs("usage: attack PROGRAM [NAME=VALUE]...\n", stderr);
  return 2;
}
