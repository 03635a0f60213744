// Single values of a policy as people write them, in a file or after a flag: limits, names, paths.
// Each check says what is wrong and what to write instead, and never repeats a variable's value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"

namespace paddock {

inline constexpr std::uint64_t memory_bytes_min = std::uint64_t{1} << 20;
inline constexpr std::uint64_t memory_bytes_max = std::uint64_t{1} << 50;
inline constexpr std::uint64_t cpu_milli_min = 10;
inline constexpr std::uint64_t cpu_milli_max = 8'192'000;
inline constexpr std::uint64_t processes_max = 4'194'304;  // PID_MAX_LIMIT, proc(5)
inline constexpr std::uint64_t wall_time_ms_max = std::uint64_t{366} * 86'400'000;
inline constexpr std::size_t path_bytes_max = 4096;  // PATH_MAX; of a pattern too

// Errors are usage errors without a place: the caller puts "FILE:LINE" or the flag before them.
Result<std::uint64_t> memory_bytes_of(std::string_view text);  // "8G"
Result<std::uint64_t> cpu_milli_of(std::string_view text);     // "4", "1.5"
Result<std::uint64_t> processes_of(std::string_view text);     // "2048"
Result<std::uint64_t> wall_time_ms_of(std::string_view text);  // "2h", "90" (seconds)

bool is_variable_name(std::string_view name);  // [A-Za-z_][A-Za-z0-9_]*
Result<std::string> variable_name_of(std::string_view text);

// "path", "path?" (optional), "~/path". New lines are allowed in it, NUL is not.
Result<PathRule> path_rule_of(std::string_view text, std::string_view base, Origin origin);

enum class Negation { allowed, refused };
// A mask or a protection; only a protection may begin with "!".
Result<PatternRule> pattern_rule_of(std::string_view text, std::string_view base, Origin origin, Negation negation);

// The guarantees that a person may give up, and those that always hold (policy does not know them).
struct GuaranteeNames {
  std::vector<std::string> can_be_given_up;
  std::vector<std::string> always_held;
};
Result<void> check_given_up(std::string_view name, const GuaranteeNames& names);
// All of a policy, each error with its origin ("config.toml:7: ..."). `code`: as for the file it came from.
Result<void> check_given_up(const Policy& policy, const GuaranteeNames& names, ErrorCode code = ErrorCode::usage);

}  // namespace paddock
