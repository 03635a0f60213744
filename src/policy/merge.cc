#include <iterator>
#include <utility>

#include "policy/policy.h"

namespace paddock {

namespace {

template <typename T>
void replace(Sourced<T>& base, const Sourced<T>& over) {
  if (over.stated) base = over;
}

template <typename T>
void append(std::vector<T>& base, const std::vector<T>& over) {
  base.insert(base.end(), over.begin(), over.end());
}

void merge_filesystem(FilesystemPolicy& base, const FilesystemPolicy& over) {
  replace(base.world, over.world);
  replace(base.workspace, over.workspace);
  replace(base.temp, over.temp);
  replace(base.toolchains, over.toolchains);
  replace(base.dotfiles, over.dotfiles);
  replace(base.caches, over.caches);
  append(base.read, over.read);
  append(base.write, over.write);
  append(base.mask, over.mask);
  append(base.protect, over.protect);
}

void merge_limits(LimitPolicy& base, const LimitPolicy& over) {
  replace(base.memory_bytes, over.memory_bytes);
  replace(base.cpu_milli, over.cpu_milli);
  replace(base.processes, over.processes);
  replace(base.wall_time_ms, over.wall_time_ms);
}

}  // namespace

// Nothing is ever taken out here: a mask or protection stays beside a later grant of the same path,
// and the order of precedence at one path (mask, protect, read, write) decides when mounts are made.
Policy merge(Policy base, const Policy& over) {
  merge_filesystem(base.filesystem, over.filesystem);
  replace(base.network, over.network);
  replace(base.environment_base, over.environment_base);
  append(base.variables, over.variables);
  merge_limits(base.limits, over.limits);
  replace(base.credentials, over.credentials);
  replace(base.ssh_agent, over.ssh_agent);
  replace(base.nested, over.nested);
  replace(base.git, over.git);
  replace(base.permissions, over.permissions);
  append(base.without, over.without);
  append(base.required, over.required);
  return base;
}

}  // namespace paddock
