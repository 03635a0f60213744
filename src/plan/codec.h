// Plan <-> JSON: one object that carries `plan_version`. Reading is strict: an unknown, missing or
// repeated key, a wrong type and an unknown word are errors that name the place ("mounts[3].kind").
//
// Strings are bytes in a plan and UTF-8 in JSON. A byte that is no part of well-formed UTF-8 is written
// as the private-use character U+EF00 + byte (U+EF80 to U+EFFF), and so is each byte of such a character
// itself, so that every string comes back as it was and has one spelling only. Other spellings are errors.
//
// No secret value is written: a variable that is no literal has a null there, and reading insists on it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "plan/plan.h"

namespace paddock {

inline constexpr std::size_t plan_json_bytes_max = std::size_t{64} << 20;

// One line without a line end.
std::string write_plan(const Plan& plan);

// At most plan_json_bytes_max bytes, mounts_max mounts.
Result<Plan> read_plan(std::string_view json);

}  // namespace paddock
