// Values of a plan as the JSON library's. For codec files only: the library is slow to compile.
#pragma once

#include <nlohmann/json.hpp>

#include "plan/plan.h"

namespace paddock::codec {

using Json = nlohmann::ordered_json;  // keys in the order in which they are written

Json json_of(const Plan& plan);
Json json_of(const std::vector<Relaxation>& relaxations);
Json json_of(const Guarantees& guarantees);

}  // namespace paddock::codec
