// Reading the ceiling's file: the vocabulary of every policy file, where a word or a number is the most
// that anybody gets, a list of grants the places that grants may lie in, and masks, protections and
// requirements hold for everybody; and [ceiling], which no other file has. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/ceiling.h"
#include "policy/value.h"

namespace paddock {

inline constexpr std::string_view ceiling_path = "/etc/paddock/config.toml";

// Errors are cannot_start: a ceiling that is not understood lets nothing start.
Result<Ceiling> read_ceiling(std::string_view toml, std::string_view where, const GuaranteeNames& guarantees);

}  // namespace paddock
