#include "cli/program_identity.h"

#include <sys/stat.h>

#include <fmt/core.h>

namespace paddock {
namespace {

std::string identity_of(const std::string& path) {
  struct stat status {};
  if (path.empty() || ::stat(path.c_str(), &status) != 0) return {};
  return fmt::format("{}\n{} {} {} {}.{:09}\n", path, status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

}  // namespace

std::string program_identity(const Executable& program) { return identity_of(program.real.empty() ? program.found : program.real); }

std::string chain_identity(const Executable& program) {
  std::string all;
  for (const std::string& path : program.chain) all += identity_of(path);
  return program.chain.empty() ? program_identity(program) : all;
}

}  // namespace paddock
