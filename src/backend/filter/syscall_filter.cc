#include "backend/filter/syscall_filter.h"

#include <cstddef>

namespace paddock {
namespace {

// Written by generate_filter: one constexpr array of sock_filter for each variant.
#include "filter_programs.inc"

constexpr std::span<const sock_filter> programs[3][2] = {
    {off_ordinary, off_real_root},
    {browser_ordinary, browser_real_root},
    {full_ordinary, full_real_root},
};

}  // namespace

std::span<const sock_filter> syscall_filter(FilterNesting nesting, FilterPrivilege privilege) noexcept {
  return programs[static_cast<std::size_t>(nesting)][static_cast<std::size_t>(privilege)];
}

}  // namespace paddock
