// Test only: runs a classic BPF program over one system call, as the kernel would.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstdint>
#include <optional>
#include <span>

namespace paddock {

// The word that the program returns. Nothing where it is malformed: a jump or load outside its
// bounds, no return, or an instruction that our filters do not use.
[[nodiscard]] std::optional<std::uint32_t> run_filter(std::span<const sock_filter> program, const seccomp_data& call);

}  // namespace paddock
